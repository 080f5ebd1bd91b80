/** Finds each yes and no among the words. A yes that is denied by the words before it does not count. */
import { affirmative, negative, weak } from "./answer-words.ts";

export interface Mark {
  readonly verdict: "yes" | "no";
  /** The word may only be a courtesy or part of a question. */
  readonly isWeak?: boolean;
  readonly isCommand?: boolean;
}

/** Requests to act: after a no, they are what the caller means. */
const commands = ["go ahead", "go for it", "do it", "do that"];
const affirmativePhrases = [
  ...commands,
  "sounds good",
  "sounds right",
  "that's it",
  "of course",
  "why not",
  "no problem",
  "no worries",
];
/** Phrases that deny neither what was asked nor what follows: "don't worry, go ahead". */
const indifferentPhrases = ["don't worry", "do not worry", "don't mind", "do not mind"];
const phrases = [...indifferentPhrases, ...affirmativePhrases];
/** "I do not want you to do it": a phrase within this many words after a denial is denied; a single word only directly after it. */
const phraseDeniedWithin = 4;

export function marksOf(tokens: readonly string[]): readonly Mark[] {
  const marks: Mark[] = [];
  let deniedAt = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at] ?? "";
    const phrase = phrases.find((words) => isAt(words, tokens, at));
    const mark = phrase === undefined ? markOfWord(token) : markOfPhrase(phrase);
    const isDenied = mark?.verdict === "yes" && at - deniedAt <= (phrase === undefined ? 1 : phraseDeniedWithin);
    if (mark !== undefined && !isDenied) marks.push(mark);
    if (phrase === undefined && isDenial(token)) deniedAt = at;
    at += phrase?.split(" ").length ?? 1;
  }
  return marks;
}

function markOfPhrase(phrase: string): Mark | undefined {
  return indifferentPhrases.includes(phrase) ? undefined : { verdict: "yes", isCommand: commands.includes(phrase) };
}

function markOfWord(token: string): Mark | undefined {
  if (negative.has(token)) return { verdict: "no" };
  return affirmative.has(token) ? { verdict: "yes", isWeak: weak.has(token) } : undefined;
}

function isDenial(token: string): boolean {
  return token === "not" || token === "never" || token === "dont" || token.endsWith("n't");
}

/** Whether the phrase is said at this place. */
export function isAt(phrase: string, tokens: readonly string[], at: number): boolean {
  return phrase.split(" ").every((word, offset) => tokens[at + offset] === word);
}
