/**
 * Finds the agent's intents nearest to what was said. Words that few intents use weigh more, small recognition errors
 * cost little, and numbers and dates are compared by kind, so that an example with one amount matches any other.
 */
import { dayMs } from "@voice/shared/platform/day";
import { RecentlyUsed } from "@voice/shared/platform/recently-used";
import { atOnce, inSlices, type Steps } from "@voice/shared/platform/steps";
import type { AgentMeanings } from "../meaning/agent-meanings.ts";
import { weighMeaning, type Likenesses } from "../meaning/weigh-meaning.ts";
import type { AgentRules, Intent } from "../rules/rules.ts";
import { abstractTokens, type Token } from "./abstract-tokens.ts";
import { likeness, takesAway, type Heard, type SaidChoice } from "./likeness.ts";
import { claimsIn, wordsFor } from "./slot-claims.ts";
import { slotFromSentence, slotFromWildcard, type SlotValue } from "./slots.ts";
import type { Place } from "../spoken-english/self-repair.ts";
import {
  stopWords,
  vocabularyOf,
  type Example,
  type ExamplePart,
  type Vocabulary,
  type Wildcard,
} from "./vocabulary.ts";
import { expanded, isDenial, tokenise, toWord, withoutFillers, wordLikeness, type Word } from "./compare-words.ts";
import { afterYesNo } from "../spoken-english/yes-no.ts";

/**
 * Below this score the caller is asked again rather than misunderstood. Measured by leaving out each of the built-in
 * examples in turn: with 0.55, two thirds of them are found from the others and one in twenty is mistaken.
 */
const matchThreshold = 0.55;
/** The score from which the caller is asked whether they meant the intent. */
const nearThreshold = 0.42;
/** A request beyond doubt: it may change the subject while a question is open, or split a sentence in two. */
export const clearScore = 0.8;
/** The words around a wildcard must match almost exactly. */
const surely = 0.8;

export type SlotValues = Readonly<Record<string, SlotValue>>;

export interface IntentMatch {
  readonly intent: Intent;
  /** 0 to 1. */
  readonly score: number;
  readonly slots: SlotValues;
}

/** How well a sentence matches an intent, by its words alone. */
interface Candidate {
  readonly intent: Intent;
  readonly score: number;
  /** The words in the place of a `{name}` or `{text}`. */
  readonly wildcard: SlotValues;
}

interface Compared {
  /** Best first. */
  readonly candidates: readonly Candidate[];
  byWords?: readonly IntentMatch[];
  /** The matches by meaning, once the meaning of the sentence is known. */
  byMeaning?: readonly IntentMatch[];
}

/** Every turn replays the turns before it, so the same few sentences are matched throughout a call. */
const remembered = new WeakMap<AgentRules["intents"], RecentlyUsed<Compared>>();
/** How many sentences are cached for each agent, over all sessions. */
const maxRemembered = 300;

/** All intents above the threshold, best first. */
export function matchIntents(
  rules: AgentRules,
  utterance: string,
  todayMs: number,
  meanings?: AgentMeanings,
): readonly IntentMatch[] {
  return nearIntents(rules, utterance, todayMs, meanings).filter(({ score }) => score >= matchThreshold);
}

/** Also those that the caller may have meant in other words. By meaning as well, as far as that was prepared (`prepareMatches`). */
export function nearIntents(
  rules: AgentRules,
  utterance: string,
  todayMs: number,
  meanings?: AgentMeanings,
): readonly IntentMatch[] {
  const memo = memoOf(rules, utterance, todayMs);
  const compared = memo.compared ?? { candidates: atOnce(findIntents(rules, utterance, todayMs)) };
  memo.keep(compared);
  if (meanings !== undefined && compared.byMeaning !== undefined) return compared.byMeaning;
  const matched = (candidates: readonly Candidate[]): readonly IntentMatch[] =>
    candidates
      .filter(({ score }) => score >= nearThreshold)
      .map(({ intent, score, wildcard }) => ({
        intent,
        score,
        slots: { ...slotsInSentence(intent, utterance, todayMs), ...wildcard },
      }));
  const meaning = isBeyondDoubt(compared) ? undefined : meanings?.likeness(rules, utterance);
  if (meaning === undefined) return (compared.byWords ??= matched(compared.candidates));
  return (compared.byMeaning = matched(weighed(rules, compared.candidates, meaning)));
}

/**
 * Compares sentences in slices, before they are needed: a long turn and a large agent take 40 ms. With meanings, those whose words leave a
 * doubt are compared by meaning as well (EAR-67).
 */
export async function prepareMatches(
  rules: AgentRules,
  utterances: readonly string[],
  todayMs: number,
  meanings?: AgentMeanings,
): Promise<void> {
  const doubtful: string[] = [];
  for (const utterance of utterances) {
    const memo = memoOf(rules, utterance, todayMs);
    const compared = memo.compared ?? { candidates: await inSlices(findIntents(rules, utterance, todayMs)) };
    memo.keep(compared);
    if (!isBeyondDoubt(compared)) doubtful.push(utterance);
  }
  if (doubtful.length > 0) await meanings?.learn(rules, doubtful);
}

function isBeyondDoubt({ candidates: [best] }: Compared): boolean {
  return best !== undefined && best.score >= clearScore;
}

function weighed(rules: AgentRules, candidates: readonly Candidate[], meaning: Likenesses): readonly Candidate[] {
  const words = new Map(candidates.map(({ intent, score }) => [intent.name, score]));
  const scores = weighMeaning(words, meaning, { acted: matchThreshold, asked: nearThreshold });
  return rules.intents
    .flatMap((intent) => {
      const score = scores.get(intent.name);
      const candidate = candidates.find((other) => other.intent === intent);
      // "I do not want to talk to a person" means nearly the same to the encoder as its opposite.
      if (score === undefined || (candidate === undefined && takesAway(intent))) return [];
      return [{ intent, score, wildcard: candidate?.wildcard ?? {} }];
    })
    .toSorted((left, right) => right.score - left.score);
}

function memoOf(rules: AgentRules, utterance: string, todayMs: number) {
  const known = remembered.get(rules.intents) ?? new RecentlyUsed<Compared>(maxRemembered);
  remembered.set(rules.intents, known);
  const key = `${Math.floor(todayMs / dayMs)} ${utterance}`;
  return { compared: known.get(key), keep: (compared: Compared): void => known.set(key, compared, 1) };
}

/** Pauses after each word of the vocabulary, and after each example. */
function* findIntents(rules: AgentRules, utterance: string, todayMs: number): Steps<readonly Candidate[]> {
  const tokens = expanded(withoutFillers(tokenise(utterance)));
  const spoken = abstractTokens(tokens, todayMs);
  const choices = new Map<Intent, readonly SaidChoice[]>();
  if (spoken.length === 0) return [];
  const isBareAnswer = afterYesNo(tokens).length === 0;
  const vocabulary = vocabularyOf(rules);
  const heard = yield* hear(spoken, vocabulary);
  const best = new Map<string, { example: Example; score: number; span: Place | undefined }>();
  for (const example of vocabulary.examples) {
    yield;
    if (example.isBareAnswer && !isBareAnswer) continue;
    const said = choices.get(example.intent) ?? choicesSaid(example.intent, tokens, spoken);
    choices.set(example.intent, said);
    const span = example.wildcard === undefined ? noSpan : wildcardSpan(example.wildcard, heard, said);
    if (span === undefined) continue;
    const score = likeness({ example, heard, span, said, vocabulary });
    if (score <= (best.get(example.intent.name)?.score ?? 0)) continue;
    best.set(example.intent.name, { example, score, span });
  }
  return [...best.values()]
    .map(({ example, score, span }) => ({
      intent: example.intent,
      score,
      wildcard: wildcardSlot(example, spoken, span),
    }))
    .toSorted((left, right) => right.score - left.score);
}

/** `known`: the slots' current values, which "the other one" depends on. `asked`: the slot that the sentence answers. */
export function slotsInSentence(
  intent: Intent,
  utterance: string,
  todayMs: number,
  known: SlotValues = {},
  asked?: string,
): SlotValues {
  const tokens = tokenise(utterance);
  const claims = claimsIn(intent, tokens, todayMs, asked);
  return Object.fromEntries(
    intent.slots.flatMap((slot) => {
      const value = slotFromSentence(slot, wordsFor(slot, claims, tokens), todayMs, known[slot.name]);
      return value === undefined ? [] : [[slot.name, value]];
    }),
  );
}

function* hear(spoken: readonly Token[], vocabulary: Vocabulary): Steps<Heard> {
  const words = spoken.map(({ word }) => toWord(word));
  const different = new Map(words.map((word) => [word.text, word]));
  const places = new Map<string, { at: number; value: number }[]>();
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

/** The values of the intent's choices, in positions of the abstract tokens. */
function choicesSaid(intent: Intent, tokens: readonly string[], spoken: readonly Token[]): readonly SaidChoice[] {
  const slots = intent.slots.filter(({ type }) => type === "choice");
  if (slots.length === 0) return [];
  const positions = spoken.flatMap(({ source }, at) => source.map(() => at));
  return claimsIn({ slots, examples: intent.examples }, tokens, 0).map(({ slot, start, end }) => ({
    slot: slot.name,
    start: positions[start] ?? 0,
    end: (positions[end - 1] ?? 0) + 1,
  }));
}

const noSpan: Place = { start: 0, end: 0 };

/** The words that a wildcard covers: between its neighbours, or up to the end. */
function wildcardSpan({ before, after }: Wildcard, heard: Heard, said: readonly SaidChoice[]): Place | undefined {
  const places = (part: ExamplePart): readonly Place[] =>
    typeof part === "string"
      ? (heard.places.get(part) ?? []).flatMap(({ at, value }) => (value >= surely ? [{ start: at, end: at + 1 }] : []))
      : said.filter(({ slot }) => slot === part.slot);
  const start = before === undefined ? 0 : (places(before).at(-1)?.end ?? 0);
  if (before !== undefined && start === 0) return undefined;
  const next = after === undefined ? undefined : places(after).find((place) => place.start > start);
  const end = after === undefined ? heard.weights.length : (next?.start ?? 0);
  return end > start ? { start, end } : undefined;
}

function wildcardSlot(example: Example, spoken: readonly Token[], span: Place | undefined): SlotValues {
  const slot = example.intent.slots.find((candidate) => candidate.name === example.wildcard?.slot);
  if (slot === undefined || span === undefined) return {};
  const words = spoken.slice(span.start, span.end).flatMap((token) => token.source);
  const value = slotFromWildcard(slot, words);
  return value === undefined ? {} : { [slot.name]: value };
}
