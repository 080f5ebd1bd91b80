/**
 * Which of an agent's intents is nearest to what was said. Words weigh by how few intents use them, a recogniser's small
 * slips cost little, and numbers and dates are compared by kind, so that an example with one amount matches any other.
 */
import type { AgentRules, Intent } from "@voice/shared/catalog/rules";
import { slotFromSentence, slotFromWildcard, type SlotValue } from "./slots.ts";
import { findDate } from "./spoken-dates.ts";
import { findNumbers } from "./spoken-numbers.ts";
import { tokenise, withoutFillers, wordLikeness } from "./words.ts";

/** Below this the caller is asked again instead of being misunderstood. */
export const matchThreshold = 0.62;

export interface IntentMatch {
  readonly intent: Intent;
  /** 0 to 1. */
  readonly score: number;
  readonly slots: Readonly<Record<string, SlotValue>>;
}

interface Token {
  readonly word: string;
  /** The words that a `#` (number) or `@` (date) stands for. */
  readonly source: readonly string[];
}

interface Example {
  readonly intent: Intent;
  readonly tokens: readonly string[];
  /** A `{name}` or `{text}` slot: where it stands and which it is. */
  readonly wildcard: { readonly index: number; readonly slot: string } | undefined;
}

interface Vocabulary {
  readonly examples: readonly Example[];
  readonly weights: ReadonlyMap<string, number>;
}

const stopWords = new Set(
  "a about am an and any are at be can could did do does for from get give had has have how i i'd i'll i'm i've if in is it its let me much my need of on or our out s should some t tell that that's the then there this to us want was we what what's when where which who will with would you your".split(
    " ",
  ),
);
const stopWordWeight = 0.12;
const unknownWordWeight = 0.6;
/** How much more it matters that the example is covered than that nothing else was said. */
const coverageBias = 1.6;
const orderBonus = 0.04;

/** All intents that come near enough, best first. */
export function matchIntents(rules: AgentRules, utterance: string, todayMs: number): readonly IntentMatch[] {
  const spoken = abstractTokens(withoutFillers(tokenise(utterance)), todayMs);
  if (spoken.length === 0) return [];
  const { examples, weights } = vocabularyOf(rules);
  const best = new Map<string, IntentMatch>();
  for (const example of examples) {
    const match = matchExample(example, spoken, weights);
    if (match === undefined || match.score < matchThreshold) continue;
    if (match.score <= (best.get(example.intent.name)?.score ?? 0)) continue;
    const slots = { ...slotsInSentence(example.intent, utterance, todayMs), ...match.slots };
    best.set(example.intent.name, { ...match, slots });
  }
  return [...best.values()].toSorted((left, right) => right.score - left.score);
}

function matchExample(
  example: Example,
  spoken: readonly Token[],
  weights: ReadonlyMap<string, number>,
): IntentMatch | undefined {
  const span = example.wildcard === undefined ? undefined : wildcardSpan(example, example.wildcard.index, spoken);
  if (example.wildcard !== undefined && span === undefined) return undefined;
  const literal = example.tokens.filter((_, index) => index !== example.wildcard?.index);
  const heard = span === undefined ? spoken : [...spoken.slice(0, span.start), ...spoken.slice(span.end)];
  const score = likeness(
    literal,
    heard.map((token) => token.word),
    weights,
  );
  return { intent: example.intent, score, slots: wildcardSlots(example, spoken, span) };
}

function likeness(example: readonly string[], heard: readonly string[], weights: ReadonlyMap<string, number>): number {
  const weightOf = (word: string): number =>
    weights.get(word) ?? (stopWords.has(word) ? stopWordWeight : unknownWordWeight);
  const free = new Set(heard.keys());
  const places: number[] = [];
  let common = 0;
  for (const word of example) {
    let found = { at: -1, value: 0 };
    for (const at of free) {
      const value = wordLikeness(word, heard[at] ?? "");
      if (value > found.value) found = { at, value };
    }
    if (found.at === -1) continue;
    free.delete(found.at);
    places.push(found.at);
    common += weightOf(word) * found.value;
  }
  const total = (words: readonly string[]): number => words.reduce((sum, word) => sum + weightOf(word), 0);
  // A misheard word weighs what the word it was taken for weighs, so that slips do not count twice.
  const extra = [...free].reduce((sum, at) => sum + weightOf(heard[at] ?? ""), 0);
  const coverage = common / Math.max(total(example), stopWordWeight);
  const precision = common / Math.max(common + extra, stopWordWeight);
  if (coverage === 0) return 0;
  const bias = coverageBias * coverageBias;
  const inOrder = places.filter((place, index) => index > 0 && place > (places[index - 1] ?? 0)).length;
  const order = places.length > 1 ? inOrder / (places.length - 1) : 1;
  return ((1 + bias) * coverage * precision) / (bias * precision + coverage) - orderBonus * (1 - order);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function wildcardSpan(example: Example, index: number, spoken: readonly Token[]): Span | undefined {
  const before = example.tokens[index - 1];
  const after = example.tokens[index + 1];
  const alike = (token: Token, word: string): boolean => wordLikeness(token.word, word) >= 0.8;
  const start = before === undefined ? 0 : spoken.findLastIndex((token) => alike(token, before)) + 1;
  if (before !== undefined && start === 0) return undefined;
  const end = after === undefined ? spoken.length : spoken.findIndex((token, at) => at > start && alike(token, after));
  return end > start ? { start, end } : undefined;
}

function wildcardSlots(
  example: Example,
  spoken: readonly Token[],
  span: Span | undefined,
): Readonly<Record<string, SlotValue>> {
  const slot = example.intent.slots.find((candidate) => candidate.name === example.wildcard?.slot);
  if (slot === undefined || span === undefined) return {};
  const value = slotFromWildcard(
    slot,
    spoken.slice(span.start, span.end).flatMap((token) => token.source),
  );
  return value === undefined ? {} : { [slot.name]: value };
}

export function slotsInSentence(
  intent: Intent,
  utterance: string,
  todayMs: number,
): Readonly<Record<string, SlotValue>> {
  const tokens = tokenise(utterance);
  return Object.fromEntries(
    intent.slots.flatMap((slot) => {
      const value = slotFromSentence(slot, tokens, todayMs);
      return value === undefined ? [] : [[slot.name, value]];
    }),
  );
}

function abstractTokens(tokens: readonly string[], todayMs: number): readonly Token[] {
  const date = findDate(tokens, todayMs);
  const spans = [
    ...(date === undefined ? [] : [{ start: date.start, end: date.end, word: "@" }]),
    ...findNumbers(tokens)
      .filter((run) => date === undefined || run.end <= date.start || run.start >= date.end)
      .map((run) => ({ start: run.start, end: run.end, word: "#" })),
  ];
  const abstract: Token[] = [];
  for (let at = 0; at < tokens.length;) {
    const span = spans.find((candidate) => candidate.start === at);
    const end = span?.end ?? at + 1;
    abstract.push({ word: span?.word ?? tokens[at] ?? "", source: tokens.slice(at, end) });
    at = end;
  }
  return abstract;
}

// Derived from the rules alone; rules are immutable and live as long as a session or the process.
const vocabularies = new WeakMap<AgentRules["intents"], Vocabulary>();

function vocabularyOf(rules: AgentRules): Vocabulary {
  const known = vocabularies.get(rules.intents);
  if (known !== undefined) return known;
  const examples = rules.intents.flatMap((intent) => intent.examples.flatMap((text) => compileExample(intent, text)));
  const vocabulary = { examples, weights: wordWeights(examples, rules.intents.length) };
  vocabularies.set(rules.intents, vocabulary);
  return vocabulary;
}

/** One per wording of a `choice`; numbers and dates by kind. */
function compileExample(intent: Intent, text: string): readonly Example[] {
  let variants: readonly (readonly string[])[] = [[]];
  let wildcard: Example["wildcard"];
  const extend = (options: readonly (readonly string[])[]): void => {
    variants = variants.flatMap((variant) => options.map((words) => [...variant, ...words]));
  };
  for (const word of withoutFillers(tokenise(text))) {
    const slot = intent.slots.find((candidate) => word === `{${candidate.name}}`);
    if (slot === undefined) extend([[word]]);
    else if (slot.type === "choice")
      extend(Object.values(slot.options ?? {}).flatMap((list) => list.map((wording) => wording.split(" "))));
    else if (slot.type === "date") extend([["@"]]);
    else if (slot.type === "name" || slot.type === "text") {
      wildcard = { index: variants[0]?.length ?? 0, slot: slot.name };
      extend([["*"]]);
    } else extend([["#"]]);
  }
  return variants.map((tokens) => ({
    intent,
    tokens: abstractTokens(tokens, 0).map((token) => token.word),
    wildcard,
  }));
}

/** A word that only one intent uses weighs 1, one that all use little. */
function wordWeights(examples: readonly Example[], intentCount: number): ReadonlyMap<string, number> {
  const users = new Map<string, Set<string>>();
  for (const example of examples)
    for (const word of example.tokens) users.set(word, (users.get(word) ?? new Set()).add(example.intent.name));
  const spread = Math.log(Math.max(intentCount, 2));
  return new Map(
    [...users].map(([word, intents]) => [
      word,
      stopWords.has(word) ? stopWordWeight : 0.3 + 0.7 * Math.max(0, Math.log(intentCount / intents.size) / spread),
    ]),
  );
}
