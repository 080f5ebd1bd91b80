/**
 * Finds the agent's intents nearest to what was said. Words that few intents use weigh more, small recognition errors
 * cost little, and numbers and dates are compared by kind, so that an example with one amount matches any other.
 */
import { dayMs } from "@voice/shared/platform/day";
import { atOnce, inSlices, type Steps } from "@voice/shared/platform/steps";
import type { AgentRules, Intent } from "../rules/rules.ts";
import { abstractTokens, type Token } from "./abstract-tokens.ts";
import { endsCall, saysMore } from "./farewell.ts";
import { slotFromSentence, slotFromWildcard, type SlotValue } from "./slots.ts";
import { vocabularyOf, type Example, type Vocabulary, type Wildcard } from "./vocabulary.ts";
import { expanded, isDenial, tokenise, toWord, withoutFillers, wordLikeness, type Word } from "./words.ts";
import { afterYesNo } from "../spoken-english/yes-no.ts";

/**
 * Below this score the caller is asked again rather than misunderstood. Measured by leaving out each of the built-in
 * examples in turn: with 0.55, two thirds of them are found from the others and one in twenty is mistaken.
 */
const matchThreshold = 0.55;
/** How much more the coverage of the example counts than the absence of other words. */
const coverageBias = 1.6 ** 2;
const orderBonus = 0.04;
const leastWeight = 0.1;
/** The words around a wildcard must match almost exactly. */
const surely = 0.8;

export type SlotValues = Readonly<Record<string, SlotValue>>;

export interface IntentMatch {
  readonly intent: Intent;
  /** 0 to 1. */
  readonly score: number;
  readonly slots: SlotValues;
}

/** Every turn replays the turns before it, so the same few sentences are matched throughout a call. */
const remembered = new WeakMap<AgentRules["intents"], Map<string, readonly IntentMatch[]>>();
/** How many sentences are cached for each agent, over all sessions. */
const maxRemembered = 300;

/** All intents above the threshold, best first. */
export function matchIntents(rules: AgentRules, utterance: string, todayMs: number): readonly IntentMatch[] {
  const memo = memoOf(rules, utterance, todayMs);
  const matches = memo.matches ?? atOnce(findIntents(rules, utterance, todayMs));
  memo.keep(matches);
  return matches;
}

/** Finds the intents in slices, before they are needed: comparing a long turn with a large agent takes 40 ms. */
export async function prepareMatches(rules: AgentRules, utterance: string, todayMs: number): Promise<void> {
  const memo = memoOf(rules, utterance, todayMs);
  memo.keep(memo.matches ?? (await inSlices(findIntents(rules, utterance, todayMs))));
}

function memoOf(rules: AgentRules, utterance: string, todayMs: number) {
  const known = remembered.get(rules.intents) ?? new Map<string, readonly IntentMatch[]>();
  remembered.set(rules.intents, known);
  const key = `${Math.floor(todayMs / dayMs)} ${utterance}`;
  return {
    matches: known.get(key),
    keep(matches: readonly IntentMatch[]): void {
      known.delete(key);
      known.set(key, matches);
      const [oldest] = known.keys();
      if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest);
    },
  };
}

/** Pauses after each word of the vocabulary, and after each example. */
function* findIntents(rules: AgentRules, utterance: string, todayMs: number): Steps<readonly IntentMatch[]> {
  const tokens = expanded(withoutFillers(tokenise(utterance)));
  const spoken = abstractTokens(tokens, todayMs);
  if (spoken.length === 0) return [];
  const isBareAnswer = afterYesNo(tokens).length === 0;
  const vocabulary = vocabularyOf(rules);
  const heard = yield* hear(spoken, vocabulary);
  const best = new Map<string, { example: Example; score: number; span: Span | undefined }>();
  for (const example of vocabulary.examples) {
    yield;
    if (example.isBareAnswer && !isBareAnswer) continue;
    const span = example.wildcard === undefined ? noSpan : wildcardSpan(example.wildcard, heard);
    if (span === undefined) continue;
    const score = likeness(example, heard, span, vocabulary);
    if (score < matchThreshold || score <= (best.get(example.intent.name)?.score ?? 0)) continue;
    best.set(example.intent.name, { example, score, span });
  }
  return [...best.values()]
    .map(({ example, score, span }) => ({
      intent: example.intent,
      score,
      slots: { ...slotsInSentence(example.intent, utterance, todayMs), ...wildcardSlot(example, spoken, span) },
    }))
    .toSorted((left, right) => right.score - left.score);
}

/** `known`: the slots' current values, which "the other one" depends on. */
export function slotsInSentence(
  intent: Intent,
  utterance: string,
  todayMs: number,
  known: SlotValues = {},
): SlotValues {
  const tokens = tokenise(utterance);
  return Object.fromEntries(
    intent.slots.flatMap((slot) => {
      const value = slotFromSentence(slot, tokens, todayMs, known[slot.name]);
      return value === undefined ? [] : [[slot.name, value]];
    }),
  );
}

interface Heard {
  readonly words: readonly string[];
  readonly weights: readonly number[];
  /** The positions of "not" and similar words. */
  readonly denials: readonly number[];
  /** For each word of the vocabulary that may have been said: its positions, and how certain each match is. */
  readonly places: ReadonlyMap<string, readonly { readonly at: number; readonly value: number }[]>;
}

function* hear(spoken: readonly Token[], vocabulary: Vocabulary): Steps<Heard> {
  const words = spoken.map(({ word }) => toWord(word));
  const different = new Map(words.map((word) => [word.text, word]));
  const places = new Map<string, { at: number; value: number }[]>();
  const { stopWords } = vocabulary;
  const likelinessOf = (known: Word, word: Word): number =>
    stopWords.has(known.text) || stopWords.has(word.text)
      ? Number(known.text === word.text)
      : wordLikeness(known, word);
  for (const known of vocabulary.words) {
    yield;
    const values = new Map<string, number>();
    for (const word of different.values()) {
      const value = likelinessOf(known, word);
      if (value > 0) values.set(word.text, value);
    }
    if (values.size === 0) continue;
    const found = words.flatMap(({ text }, at) => {
      const value = values.get(text);
      return value === undefined ? [] : [{ at, value }];
    });
    places.set(known.text, found);
  }
  return {
    words: words.map(({ text }) => text),
    weights: words.map((word) => vocabulary.weightOf(word.text)),
    denials: words.flatMap(({ text }, at) => (isDenial(text) ? [at] : [])),
    places,
  };
}

/** Scores how much of the example was said and how little else. The words in `span` belong to a slot. */
function likeness(example: Example, heard: Heard, span: Span, vocabulary: Vocabulary): number {
  const taken = new Set<number>();
  let common = 0;
  let extra = heard.weights.reduce((sum, weight, at) => (at >= span.start && at < span.end ? sum : sum + weight), 0);
  let inOrder = 0;
  let last = -1;
  for (const word of example.words) {
    let found = { at: -1, value: 0 };
    for (const place of heard.places.get(word) ?? [])
      if (place.value > found.value && !taken.has(place.at) && (place.at < span.start || place.at >= span.end))
        found = place;
    if (found.at === -1) continue;
    if (taken.size > 0 && found.at > last) inOrder += 1;
    taken.add(found.at);
    last = found.at;
    // A misrecognised word weighs as much as the word it is matched with, so that an error does not count twice.
    common += vocabulary.weightOf(word) * found.value;
    extra -= heard.weights[found.at] ?? 0;
  }
  if (common === 0 || (takesAway(example.intent) && isDenied(taken, heard.denials))) return 0;
  if (endsCall(example.intent) && saysMore(heard.words, taken)) return 0;
  const coverage = common / Math.max(example.weight, leastWeight);
  const precision = common / Math.max(common + extra, leastWeight);
  const disorder = taken.size > 1 ? 1 - inOrder / (taken.size - 1) : 0;
  return ((1 + coverageBias) * coverage * precision) / (coverageBias * precision + coverage) - orderBonus * disorder;
}

/** Nothing follows its tool: the call ends, or somebody else takes it over. */
function takesAway({ action, after }: Intent): boolean {
  return action.type === "call" && Object.keys(after).length === 0;
}

/** "I am not done", "I do not want to talk to a person": a word of the example is preceded by a "not" that is not part of the example. */
function isDenied(taken: ReadonlySet<number>, denials: readonly number[]): boolean {
  return denials.some((at) => !taken.has(at) && taken.has(at + 1));
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const noSpan: Span = { start: 0, end: 0 };

/** The words that a wildcard covers: between its neighbours, or up to the end. */
function wildcardSpan({ before, after }: Wildcard, heard: Heard): Span | undefined {
  const places = (word: string): readonly number[] =>
    (heard.places.get(word) ?? []).filter((place) => place.value >= surely).map((place) => place.at);
  const start = before === undefined ? 0 : (places(before).at(-1) ?? -1) + 1;
  if (before !== undefined && start === 0) return undefined;
  const end = after === undefined ? heard.weights.length : (places(after).find((at) => at > start) ?? 0);
  return end > start ? { start, end } : undefined;
}

function wildcardSlot(example: Example, spoken: readonly Token[], span: Span | undefined): SlotValues {
  const slot = example.intent.slots.find((candidate) => candidate.name === example.wildcard?.slot);
  if (slot === undefined || span === undefined) return {};
  const words = spoken.slice(span.start, span.end).flatMap((token) => token.source);
  const value = slotFromWildcard(slot, words);
  return value === undefined ? {} : { [slot.name]: value };
}
