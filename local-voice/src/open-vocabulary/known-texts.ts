/**
 * What somebody has most probably said if they spoke in an agent's words: a search of the open recogniser's text among those that consist of
 * these words, and hardly of others, in any order, in each way in which it writes them ("sixteen-ounce", "16 ounce"). Pure. Decision 081.
 */
import { teens, tens, units } from "@voice/shared/languages/en/numerals";
import type { Expectation } from "./moonshine-decoder.ts";
import { logSum } from "./spoken-code.ts";
import { endToken, tokenOf, tokensOf } from "./written-tokens.ts";

export interface KnownText {
  /** Words with a space between them. */
  readonly text: string;
  /** The natural logarithm of its probability. */
  readonly score: number;
}

export interface KnownWords {
  readonly words: Iterable<string>;
  /** What was written and the agent does not know: each makes a text less probable by a factor of 50. */
  readonly others: Iterable<string>;
  /** Two texts that differ in these are different sentences; in the others they may be the same. */
  readonly distinguishing: ReadonlySet<string>;
}

interface SearchLimits {
  /** The logarithm of the probability below which no text is followed. */
  readonly least: number;
  /** A text of fewer letters is not all that was said. */
  readonly shortest: number;
}

/** As many texts are followed at a time; one that is less probable than the best by this factor's logarithm is not. */
const mostTexts = 6;
const widest = 6;
/** Each takes 7 ms: a long order that is hard to understand takes 90. */
const mostSteps = 140;
/** The model thinks of an end where the speech ends; that it is cut short is as good as impossible. */
const leastEnd = -4;

/** Who speaks to an agent about its values says one such word in fifty. */
export const otherPrice = Math.log(50);

/** A place in the spellings of all words. */
interface Branch {
  readonly next: Map<number, Branch>;
  /** The words that are complete here. */
  readonly words: { readonly word: string; readonly price: number }[];
}

interface Spellings {
  readonly first: Branch;
  readonly later: Branch;
  /** After a hyphen, which is a part of them. */
  readonly joined: Branch;
}

interface Text {
  readonly words: readonly string[];
  readonly score: number;
  readonly after: "start" | "word" | "comma" | "stop";
  /** Within a word. */
  readonly branch?: Branch | undefined;
  /** The tokens of that word so far. */
  readonly spelt: string;
  readonly expected: Expectation;
}

type Continuation = Omit<Text, "expected" | "score"> & { readonly token: number };

/** The most probable one first. */
export function findKnownTexts(
  first: Expectation,
  known: KnownWords,
  { least, shortest }: SearchLimits,
): readonly KnownText[] {
  const { distinguishing } = known;
  const spellings = spellingsOf(known);
  const found = new Map<string, number>();
  let texts: readonly Text[] = [{ words: [], score: 0, after: "start", spelt: "", expected: first }];
  for (let steps = 0; texts.length > 0 && steps < mostSteps; steps += texts.length) {
    const next: { readonly score: number; readonly from: Text; readonly to: Continuation }[] = [];
    for (const text of texts) {
      const { scores } = text.expected;
      const total = logSum(scores);
      const probabilityOf = (token: number): number => (scores[token] ?? -Infinity) - total;
      const completed = completedBy(text);
      if (probabilityOf(endToken) > leastEnd)
        for (const { words: said, score } of completed)
          if (lettersIn(said) >= shortest) add(found, said.join(" "), score + probabilityOf(endToken));
      for (const to of spelt(text, text.branch))
        next.push({ score: text.score + probabilityOf(to.token), from: text, to });
      for (const done of completed)
        for (const to of continuationsOf(done, spellings))
          next.push({ score: done.score + probabilityOf(to.token), from: text, to });
    }
    const best = Math.max(...next.map(({ score }) => score), ...found.values());
    const likely = next
      .filter(({ score }) => score > best - widest && score > least)
      .toSorted((one, other) => other.score - one.score);
    const distinct = new Map(likely.toReversed().map((item) => [keyOf(item.to, distinguishing), item]));
    texts = likely
      .filter((item) => distinct.get(keyOf(item.to, distinguishing)) === item)
      .slice(0, mostTexts)
      .map(({ score, from, to: { token, ...to } }) => ({ ...to, score, expected: from.expected.after(token) }));
  }
  return Array.from(found, ([text, score]) => ({ text, score }))
    .filter(({ score }) => score > least)
    .toSorted((one, other) => other.score - one.score);
}

function add(found: Map<string, number>, text: string, score: number): void {
  found.set(text, logSum([found.get(text) ?? -Infinity, score]));
}

function lettersIn(words: readonly string[]): number {
  return words.reduce((sum, { length }) => sum + length, 0);
}

/** Texts with the same last two words, and the same words that distinguish them before, have the same continuations. */
function keyOf({ words, spelt, after, token }: Continuation, distinguishing: ReadonlySet<string>): string {
  const before = words.slice(0, -2).filter((word) => distinguishing.has(word));
  return `${before.join(" ")}|${words.slice(-2).join(" ")}|${after}|${spelt}|${token}`;
}

function completedBy({ branch, expected, ...text }: Text): readonly Text[] {
  if (branch === undefined) return [{ ...text, expected }];
  return branch.words.map(({ word, price }) => ({
    words: [...text.words, word],
    score: text.score - price,
    after: "word",
    spelt: "",
    expected,
  }));
}

const comma = tokenOf(",");
const stops = [".", "?", "!"].map(tokenOf);

function continuationsOf(text: Text, { first, later, joined }: Spellings): readonly Continuation[] {
  const { words, after } = text;
  const begun = spelt(text, after === "start" || after === "stop" ? first : later);
  if (after !== "word") return begun;
  const marked = (token: number, kind: Text["after"]): Continuation => ({ words, after: kind, spelt: "", token });
  return [...begun, ...spelt(text, joined), marked(comma, "comma"), ...stops.map((stop) => marked(stop, "stop"))];
}

function spelt({ words, after, spelt: before }: Text, branch: Branch | undefined): readonly Continuation[] {
  return Array.from(branch?.next ?? [], ([token, to]) => ({
    words,
    after,
    branch: to,
    spelt: `${before} ${token}`,
    token,
  }));
}

const numeralOf: ReadonlyMap<string, string> = new Map([
  ...[...units, ...teens].map((word, at) => [word, String(at + 1)] as const),
  ...tens.map((word, at) => [word, String((at + 2) * 10)] as const),
]);

function spellingsOf({ words, others }: KnownWords): Spellings {
  const [first, later, joined] = [emptyBranch(), emptyBranch(), emptyBranch()];
  for (const word of words) {
    const numeral = numeralOf.get(word);
    for (const form of [/^i\b/.test(word) ? capitalised(word) : word, ...(numeral === undefined ? [] : [numeral])]) {
      spell(later, tokensOf(form), { word, price: 0 });
      for (const initial of new Set([form, capitalised(form)])) spell(first, tokensOf(initial), { word, price: 0 });
      spell(joined, tokensOf(`-${form}`, { isJoined: true }), { word, price: 0 });
    }
  }
  for (const word of others) {
    const other = { word, price: otherPrice };
    for (const form of [word, capitalised(word)])
      for (const branch of [first, later]) spell(branch, tokensOf(form), other);
    spell(joined, tokensOf(`-${word}`, { isJoined: true }), other);
  }
  return { first, later, joined };
}

function emptyBranch(): Branch {
  return { next: new Map(), words: [] };
}

function spell(root: Branch, tokens: readonly number[], word: Branch["words"][number]): void {
  let branch = root;
  for (const token of tokens) {
    const next = branch.next.get(token) ?? emptyBranch();
    branch.next.set(token, next);
    branch = next;
  }
  branch.words.push(word);
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
