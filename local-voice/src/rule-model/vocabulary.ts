/** An agent's examples, prepared for matching: slots by kind, and a weight for every word. Derived from the rules alone. */
import { atOnce, inSlices, type Steps } from "@voice/shared/platform/steps";
import type { AgentRules, Intent } from "../rules/rules.ts";
import { abstractTokens } from "./abstract-tokens.ts";
import { expanded, tokenise, toWord, withoutFillers, type Word } from "./words.ts";
import { afterYesNo } from "../spoken-english/yes-no.ts";

export interface Example {
  readonly intent: Intent;
  /** The words that are compared, without wildcards. */
  readonly words: readonly string[];
  /** Sum of the words' weights. */
  readonly weight: number;
  /** A `{name}` or `{text}` slot, and the words on either side of it. */
  readonly wildcard: Wildcard | undefined;
  /** "No", "no thanks": within a longer sentence these words mean something else. */
  readonly isBareAnswer: boolean;
}

export interface Wildcard {
  readonly slot: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface Vocabulary {
  readonly examples: readonly Example[];
  /** Words that may match with a slip; stop words are too easily confused with each other. */
  readonly words: readonly Word[];
  readonly stopWords: ReadonlySet<string>;
  weightOf(word: string): number;
}

export const stopWords: ReadonlySet<string> = new Set(
  "a about am an and any are at be can could did do does for from get give had has have how i i'd i'll i'm i've if in is it its let me much my need of on or our out s second should some t tell that that's the then there this to us want was we what what's when where which who will with would you your".split(
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
  const variants: Variant[] = [];
  for (const intent of rules.intents)
    for (const text of intent.examples)
      for (const variant of exampleVariants(intent, text)) {
        variants.push(variant);
        yield;
      }
  const weights = wordWeights(variants, rules.intents.length);
  yield;
  const weightOf = (word: string): number =>
    weights.get(word) ?? (stopWords.has(word) ? stopWordWeight : unknownWordWeight);
  const examples: Example[] = [];
  for (const variant of variants) {
    examples.push(toExample(variant, weightOf));
    yield;
  }
  return { weightOf, words: [...weights.keys()].map(toWord), stopWords, examples };
}

interface Variant {
  readonly intent: Intent;
  readonly tokens: readonly string[];
  readonly wildcardSlot: string | undefined;
}

const wildcardToken = "*";

/** One example per wording of a `choice`; numbers and dates by kind. */
function* exampleVariants(intent: Intent, text: string): Generator<Variant> {
  let variants: readonly (readonly string[])[] = [[]];
  let wildcardSlot: string | undefined;
  const extend = (options: readonly (readonly string[])[]): void => {
    variants = variants.flatMap((variant) => options.map((words) => [...variant, ...words]));
  };
  for (const word of expanded(withoutFillers(tokenise(text)))) {
    const slot = intent.slots.find((candidate) => word === `{${candidate.name}}`);
    switch (slot?.type) {
      case undefined:
        extend([[word]]);
        break;
      case "choice":
        extend(Object.values(slot?.options ?? {}).flatMap((wordings) => wordings.map((wording) => wording.split(" "))));
        break;
      case "name":
      case "text":
        wildcardSlot = slot?.name;
        extend([[wildcardToken]]);
        break;
      case "date":
        extend([["@"]]);
        break;
      case "digits":
      case "number":
      case "amount":
        extend([["#"]]);
    }
  }
  for (const tokens of variants)
    yield { intent, tokens: abstractTokens(tokens, 0).map((token) => token.word), wildcardSlot };
}

function toExample({ intent, tokens, wildcardSlot }: Variant, weightOf: (word: string) => number): Example {
  const at = tokens.indexOf(wildcardToken);
  const words = tokens.filter((token) => token !== wildcardToken);
  return {
    intent,
    words,
    weight: words.reduce((sum, word) => sum + weightOf(word), 0),
    isBareAnswer: words.length > 0 && afterYesNo(words).length === 0,
    wildcard:
      wildcardSlot === undefined ? undefined : { slot: wildcardSlot, before: tokens[at - 1], after: tokens[at + 1] },
  };
}

/** A word used by only one intent weighs 1; one used by all weighs little. */
function wordWeights(variants: readonly Variant[], intentCount: number): ReadonlyMap<string, number> {
  const users = new Map<string, Set<string>>();
  for (const { tokens, intent } of variants)
    for (const word of tokens) users.set(word, (users.get(word) ?? new Set()).add(intent.name));
  users.delete(wildcardToken);
  const spread = Math.log(Math.max(intentCount, 2));
  const rarity = (intents: number): number => Math.max(0, Math.log(intentCount / intents) / spread);
  return new Map(
    [...users].map(([word, intents]) => [
      word,
      stopWords.has(word) ? stopWordWeight : commonWordWeight + (1 - commonWordWeight) * rarity(intents.size),
    ]),
  );
}
