/** An agent's examples, prepared for matching: slots by kind, and a weight for every word. Derived from the rules alone. */
import { atOnce, inSlices, type Steps } from "@voice/shared/platform/steps";
import type { AgentRules, Intent, Slot } from "../rules/rules.ts";
import { abstractTokens } from "./abstract-tokens.ts";
import { expanded, tokenise, toWord, withoutFillers, type Word } from "./compare-words.ts";
import { afterYesNo } from "../spoken-english/yes-no.ts";

/** A `{choice}`: any of its values may stand here. */
export interface ChoicePart {
  readonly slot: string;
  /** The weight of the value that weighs least. */
  readonly leastWeight: number;
  /** Another choice follows, and another example of the intent is complete without this one. */
  readonly isOptional: boolean;
}

/** A word, `#` or `@` for a number or a date, or a choice. */
export type ExamplePart = string | ChoicePart;

export interface Example {
  readonly intent: Intent;
  /** What is compared, without wildcards. */
  readonly parts: readonly ExamplePart[];
  /** A `{name}` or `{text}` slot, and the words on either side of it. */
  readonly wildcard: Wildcard | undefined;
  /** "No", "no thanks": within a longer sentence these words mean something else. */
  readonly isBareAnswer: boolean;
}

export interface Wildcard {
  readonly slot: string;
  readonly before: ExamplePart | undefined;
  readonly after: ExamplePart | undefined;
}

export interface Vocabulary {
  readonly examples: readonly Example[];
  /** Words that may match with a slip; stop words are too easily confused with each other. */
  readonly words: readonly Word[];
  weightOf(word: string): number;
}

export const stopWords: ReadonlySet<string> = new Set(
  "a about am an and any are at be can could did do does for from get give had has have how i i'd i'll i'm i've if in is it its let may me much my need of on or our out s second should some t tell that that's the then there this to us want was we what what's when where which who will with would you your".split(
    " ",
  ),
);
/** Words such as "the" say little about the intent. */
const stopWordWeight = 0.12;
const unknownWordWeight = 0.6;
const commonWordWeight = 0.3;

// Weak keys, because rules live as long as a session or the process; they are immutable.
const vocabularies = new WeakMap<AgentRules["intents"], Vocabulary>();

export function vocabularyOf(rules: AgentRules): Vocabulary {
  const known = vocabularies.get(rules.intents);
  if (known !== undefined) return known;
  const made = atOnce(makeVocabulary(rules));
  vocabularies.set(rules.intents, made);
  return made;
}

/**
 * Prepares the vocabulary before its first use, in slices, because a large agent takes longer than other callers'
 * frames can wait.
 */
export async function prepareVocabulary(rules: AgentRules): Promise<void> {
  if (vocabularies.has(rules.intents)) return;
  vocabularies.set(rules.intents, await inSlices(makeVocabulary(rules)));
}

/** Yields after each sentence. */
function* makeVocabulary(rules: AgentRules): Steps<Vocabulary> {
  const written: WrittenExample[] = [];
  for (const intent of rules.intents)
    for (const text of intent.examples) {
      written.push({ intent, words: wordsOf(text, intent) });
      yield;
    }
  const weights = wordWeights(written, rules.intents.length);
  yield;
  const weightOf = (word: string): number =>
    weights.get(word) ?? (stopWords.has(word) ? stopWordWeight : unknownWordWeight);
  const examples: Example[] = [];
  for (const example of written) {
    examples.push(toExample(example, weightOf));
    yield;
  }
  return { weightOf, words: [...weights.keys()].map(toWord), examples };
}

interface WrittenExample {
  readonly intent: Intent;
  /** Numbers and dates by kind; other slots as they are written, `{card}`. */
  readonly words: readonly string[];
}

function wordsOf(text: string, intent: Intent): readonly string[] {
  const tokens = expanded(withoutFillers(tokenise(text))).map((token) => {
    switch (slotNamed(token, intent)?.type) {
      case "date":
        return "@";
      case "digits":
      case "number":
      case "amount":
        return "#";
      case "choice":
      case "name":
      case "text":
      case undefined:
        return token;
    }
  });
  return abstractTokens(tokens, 0).map(({ word }) => word);
}

function slotNamed(token: string, { slots }: Intent): Slot | undefined {
  return slots.find(({ name }) => token === `{${name}}`);
}

/** Whether examples may leave the slot out, by the same rule as the recogniser's network of sentences (EAR-52). */
function isLeftOut({ name }: Slot, { examples, slots }: Intent): boolean {
  const choices = slots.filter(({ type }) => type === "choice").map((slot) => `{${slot.name}}`);
  return examples.some(
    (example) => !example.includes(`{${name}}`) && choices.some((choice) => example.includes(choice)),
  );
}

function wordingsOf({ options = {} }: Slot): readonly (readonly string[])[] {
  return Object.values(options)
    .flat()
    .map((wording) => abstractTokens(expanded(wording.split(" ")), 0).map(({ word }) => word));
}

function toExample({ intent, words }: WrittenExample, weightOf: (word: string) => number): Example {
  const parts = words.map((word, index): ExamplePart | Slot => {
    const slot = slotNamed(word, intent);
    if (slot?.type !== "choice") return slot ?? word;
    const weights = wordingsOf(slot).map((wording) => wording.reduce((sum, own) => sum + weightOf(own), 0));
    const isOptional = slotNamed(words[index + 1] ?? "", intent)?.type === "choice" && isLeftOut(slot, intent);
    return { slot: slot.name, leastWeight: Math.min(...weights), isOptional };
  });
  const compared = parts.filter(isCompared);
  const at = parts.findIndex((part) => !isCompared(part));
  const wildcard = parts[at];
  const beside = (place: number): ExamplePart | undefined => {
    const part = parts[place];
    return part !== undefined && isCompared(part) ? part : undefined;
  };
  return {
    intent,
    parts: compared,
    isBareAnswer:
      compared.length > 0 &&
      compared.every((part) => typeof part === "string") &&
      afterYesNo(compared.map(String)).length === 0,
    wildcard:
      wildcard === undefined || isCompared(wildcard)
        ? undefined
        : { slot: wildcard.name, before: beside(at - 1), after: beside(at + 1) },
  };
}

/** The others are wildcards. */
function isCompared(part: ExamplePart | Slot): part is ExamplePart {
  return typeof part === "string" || "slot" in part;
}

/** A word used by only one intent weighs 1; one used by all weighs little. */
function wordWeights(examples: readonly WrittenExample[], intentCount: number): ReadonlyMap<string, number> {
  const users = new Map<string, Set<string>>();
  for (const { words, intent } of examples)
    for (const word of words.flatMap((written) => wordsMeantBy(written, intent)))
      users.set(word, (users.get(word) ?? new Set()).add(intent.name));
  const spread = Math.log(Math.max(intentCount, 2));
  const rarity = (intents: number): number => Math.max(0, Math.log(intentCount / intents) / spread);
  return new Map(
    [...users].map(([word, intents]) => [
      word,
      stopWords.has(word) ? stopWordWeight : commonWordWeight + (1 - commonWordWeight) * rarity(intents.size),
    ]),
  );
}

function wordsMeantBy(word: string, intent: Intent): readonly string[] {
  const slot = slotNamed(word, intent);
  return slot === undefined ? [word] : wordingsOf(slot).flat();
}
