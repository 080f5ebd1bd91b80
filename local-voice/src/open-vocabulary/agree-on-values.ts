/**
 * Two recognisers have heard a sentence with values of an agent's choices. A value is certain if both have it, or if the open recogniser
 * wrote it and nothing beside it is unexplained: it knows all words, and would have no reason to. Of the others the caller is asked. Pure.
 */
import { markDoubtful } from "@voice/shared/conversation/doubtful-words";
import { findNumbers } from "../spoken-english/read-numbers.ts";
import type { KnownSentence, ProbableValue } from "./known-sentence.ts";
import type { FoundValue, KnownValues, Reading } from "./known-values.ts";
import { likenessOf, same, similar } from "./likeness.ts";

/** Neither: the sentence is as the grammar has it. */
export interface AgreedText {
  /** The open words, with their values in the agent's wordings. */
  readonly text?: string;
  /** The sentence with the values that are uncertain marked as such. */
  readonly guess?: string;
}

/** A value that only sounds like what the open recogniser wrote is taken for it if it sounds so much like it, */
const likely = 0.7;
/** and so much more than like any other value. */
const leads = 0.1;
/** In place of another value that the grammar has, it has to sound more like it. */
const likelier = 0.75;
/** What sounds no more like a value than this may be any other word. */
const unlikely = 0.6;
/** Of the words, this share at most may be ones that the agent has nowhere, or else the sentence is about something else. */
const mostUnknown = 0.25;

/** As for codes: anything else is less probable by this factor, so that two of a hundred such values are wrong at most; */
const certainLead = Math.log(50);
/** or by this one, and the grammar has it as well. */
const leadWithGrammar = Math.log(5);

/**
 * Undefined where the sentence is not about values, or has numbers besides: the words decide then. `grammar`: its text, or its guess.
 * `sentence`: the most probable one of the agent's words, where the open recogniser looked for one.
 */
export function agreeOnValues(
  grammar: string,
  open: string,
  known: KnownValues,
  sentence?: KnownSentence,
): AgreedText | undefined {
  if (known.isEmpty) return undefined;
  if (sentence !== undefined) return agreeOnSentence(known.read(grammar), sentence);
  const theirs = known.read(open);
  if (theirs.values.length === 0) return undefined;
  if (theirs.unknown.length > mostUnknown * theirs.text.split(" ").length) return undefined;
  const ours = known.read(grammar);
  if (hasOtherNumbers(ours) || hasOtherNumbers(theirs)) return undefined;
  const [g, o] = [byChoice(ours), byChoice(theirs)];
  const choices = [...new Set([...g.keys(), ...o.keys()])];
  // The values may be the same in two wishes: "check my savings", "close my savings".
  const { words } = likenessOf(grammar, theirs.text);
  if (choices.every((choice) => isSame(g.get(choice) ?? [], o.get(choice) ?? []))) {
    if (words < same) return theirs.unknown.length === 0 ? { text: theirs.text } : undefined;
    return theirs.unknown.length > 0 && ours.unknown.length > 0 ? { guess: theirs.text } : {};
  }
  const hasUnknown = theirs.unknown.length > 0 || theirs.values.some(({ likeness }) => likeness < unlikely);
  const decided = choices.flatMap((choice) => decide(g.get(choice) ?? [], o.get(choice) ?? [], hasUnknown) ?? []);
  if (decided.every(({ isCertain }) => isCertain))
    return theirs.unknown.length === 0 ? { text: theirs.text } : { guess: theirs.text };
  const isWhole = words >= similar && [...g.values()].every(({ length }) => length === 1);
  return { guess: sentenceWith(decided, isWhole ? ours : theirs) };
}

type Values = readonly FoundValue[];

interface Decided {
  readonly value: FoundValue;
  readonly isCertain: boolean;
}

/** Undefined if there is no such value: the grammar's has been heard as other words that the agent knows. */
function decide(grammar: Values, open: Values, hasUnknown: boolean): Decided | undefined {
  const [ours] = grammar;
  const theirs = open.toSorted((left, right) => right.likeness - left.likeness)[0];
  if (theirs === undefined || (ours === undefined && theirs.likeness < unlikely))
    return ours === undefined || !hasUnknown ? undefined : { value: ours, isCertain: false };
  if (isSame(grammar, open)) return { value: theirs, isCertain: true };
  const isOne = open.every(({ wording }) => wording === theirs.wording);
  const needed = ours === undefined ? likely : likelier;
  const isClear = theirs.likeness === 1 || (theirs.likeness >= needed && theirs.lead >= leads);
  if (isOne && isClear && !theirs.isBesideUnknown) return { value: theirs, isCertain: true };
  const isTheirs = ours === undefined || (theirs.likeness >= likely && !theirs.isBesideUnknown);
  return { value: isTheirs ? theirs : ours, isCertain: false };
}

function agreeOnSentence(grammar: Reading, { text, values }: KnownSentence): AgreedText {
  const ours = byChoice(grammar);
  const isCertain = ({ choice, wording, lead }: ProbableValue): boolean => {
    const has = ours.get(choice) ?? [];
    const isOurs = wording === undefined ? has.length === 0 : has.some((value) => value.wording === wording);
    return lead >= (isOurs ? leadWithGrammar : certainLead);
  };
  const doubtful = values.filter((value) => !isCertain(value));
  if (doubtful.length === 0) return { text };
  const guess = doubtful.reduce((words, { wording, other }) => {
    if (wording !== undefined) return words.replace(wording, markDoubtful(wording));
    return other === undefined ? words : `${words}, ${markDoubtful(other)}`;
  }, text);
  return { guess };
}

function isSame(grammar: Values, open: Values): boolean {
  const wordings = new Set([...grammar, ...open].map(({ wording }) => wording));
  return grammar.length > 0 && open.length > 0 && wordings.size === 1;
}

function sentenceWith(decided: readonly Decided[], { text, values }: Reading): string {
  return decided.reduce((sentence, { value, isCertain }) => {
    const written = isCertain ? value.wording : markDoubtful(value.wording);
    const before = values.find(({ choice }) => choice === value.choice);
    return before === undefined ? `${sentence}, ${written}` : sentence.replace(before.wording, written);
  }, text);
}

function byChoice({ values }: Reading): ReadonlyMap<string, Values> {
  return Map.groupBy(values, ({ choice }) => choice);
}

/** A number that belongs to no value, such as an amount, is compared as a number. */
function hasOtherNumbers({ text, values }: Reading): boolean {
  const rest = values.reduce((words, { wording }) => words.replace(wording, ""), text);
  return findNumbers(rest.split(" ").filter((word) => word !== "")).length > 0;
}
