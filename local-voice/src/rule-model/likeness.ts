/**
 * How near a sentence is to an example: how much of the example was said, and how little else. A choice in the example stands for whichever
 * of its values was said. Pure.
 */
import type { Place } from "../spoken-english/self-repair.ts";
import { endsCall, saysMore } from "./farewell.ts";
import type { Intent } from "../rules/rules.ts";
import { stopWords, type ChoicePart, type Example, type Vocabulary } from "./vocabulary.ts";

/** How much more the coverage of the example counts than the absence of other words. */
const coverageBias = 1.6 ** 2;
const orderBonus = 0.04;
const leastWeight = 0.1;

export interface Heard {
  readonly words: readonly string[];
  readonly weights: readonly number[];
  /** The positions of "not" and similar words. */
  readonly denials: readonly number[];
  /** For each word of the vocabulary that may have been said: its positions, and how certain each match is. */
  readonly places: ReadonlyMap<string, readonly { readonly at: number; readonly value: number }[]>;
}

/** A value of one of the intent's choices. */
export interface SaidChoice extends Place {
  readonly slot: string;
}

export interface Comparison {
  readonly example: Example;
  readonly heard: Heard;
  /** The words that belong to a `{name}` or `{text}` slot. */
  readonly span: Place;
  readonly said: readonly SaidChoice[];
  readonly vocabulary: Vocabulary;
}

/** What the sentence has of a part of the example. */
interface Found {
  /** The position; -1 if the sentence does not have the part. */
  readonly at: number;
  readonly weight: number;
  readonly common: number;
  /** The word carries meaning, as "the" does not. */
  readonly isContent: boolean;
}

/** 0 to 1. */
export function likeness(comparison: Comparison): number {
  const { example, heard, span, said } = comparison;
  if (hasOnlyItsFrame(comparison)) return 0;
  const taken = new Set<number>();
  // The words come first, because a value may contain one of them: "my {card} card" was said as "my debit card".
  const words = example.parts.map((part) => (typeof part === "string" ? findWord(part, comparison, taken) : undefined));
  const found = example.parts.flatMap((part, index) =>
    typeof part === "string" ? (words[index] ?? []) : findChoice(part, comparison, taken),
  );
  const common = found.reduce((sum, part) => sum + part.common, 0);
  // "Can i have a refund" has nothing of "can i have a {drink}" but its frame.
  const content = found.filter(({ isContent }) => isContent);
  if (content.length > 0 && content.every(({ at }) => at === -1)) return 0;
  if (common === 0 || (takesAway(example.intent) && isDenied(taken, heard.denials))) return 0;
  if (endsCall(example.intent) && saysMore(heard.words, taken)) return 0;
  const weight = found.reduce((sum, part) => sum + part.weight, 0);
  // Another value of the intent's choices is no word too many: the agent understands it.
  const isExplained = (at: number): boolean =>
    taken.has(at) || isWithin(at, span) || said.some((choice) => isWithin(at, choice));
  const extra = heard.weights.reduce((sum, own, at) => (isExplained(at) ? sum : sum + own), 0);
  const coverage = common / Math.max(weight, leastWeight);
  const precision = common / Math.max(common + extra, leastWeight);
  return (
    ((1 + coverageBias) * coverage * precision) / (coverageBias * precision + coverage) - orderBonus * disorder(found)
  );
}

/**
 * Whether nothing of the example but words such as "the" was said: true of most examples, which need no closer comparison. Where it is
 * false, two words of the example may still have been found in one place.
 */
function hasOnlyItsFrame({ example, heard, said }: Comparison): boolean {
  let hasContent = false;
  for (const part of example.parts) {
    if (typeof part === "string" && stopWords.has(part)) continue;
    hasContent = true;
    if (typeof part === "string" ? heard.places.has(part) : said.some(({ slot }) => slot === part.slot)) return false;
  }
  return hasContent;
}

function findWord(word: string, { heard, span, vocabulary }: Comparison, taken: Set<number>): Found {
  let best = { at: -1, value: 0 };
  for (const place of heard.places.get(word) ?? [])
    if (place.value > best.value && !taken.has(place.at) && !isWithin(place.at, span)) best = place;
  if (best.at !== -1) taken.add(best.at);
  const weight = vocabulary.weightOf(word);
  return { at: best.at, weight, common: weight * best.value, isContent: !stopWords.has(word) };
}

function findChoice(part: ChoicePart, { heard, said }: Comparison, taken: Set<number>): Found {
  const choice = said.find(({ slot }) => slot === part.slot);
  if (choice === undefined)
    return { at: -1, weight: part.isOptional ? 0 : part.leastWeight, common: 0, isContent: true };
  let weight = 0;
  for (let at = choice.start; at < choice.end; at++) {
    if (taken.has(at)) continue;
    taken.add(at);
    weight += heard.weights[at] ?? 0;
  }
  return { at: choice.start, weight, common: weight, isContent: true };
}

function disorder(found: readonly Found[]): number {
  const places = found.flatMap(({ at }) => (at === -1 ? [] : [at]));
  const inOrder = places.filter((at, index) => index > 0 && at > (places[index - 1] ?? 0)).length;
  return places.length > 1 ? 1 - inOrder / (places.length - 1) : 0;
}

function isWithin(at: number, { start, end }: Place): boolean {
  return at >= start && at < end;
}

/** Nothing follows its tool: the call ends, or somebody else takes it over. */
export function takesAway({ action, after }: Intent): boolean {
  return action.type === "call" && Object.keys(after).length === 0;
}

/** "I am not done", "I do not want to talk to a person": a word of the example is preceded by a "not" that is not part of the example. */
function isDenied(taken: ReadonlySet<number>, denials: readonly number[]): boolean {
  return denials.some((at) => !taken.has(at) && taken.has(at + 1));
}
