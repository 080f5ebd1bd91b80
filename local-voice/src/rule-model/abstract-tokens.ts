import { findDate } from "../spoken-english/read-dates.ts";
import { findNumbers } from "../spoken-english/read-numbers.ts";

/** A word, or `#` for a whole number and `@` for a whole date, with the words it stands for. */
export interface Token {
  readonly word: string;
  readonly source: readonly string[];
}

/** The matcher treats all numbers alike, and all dates. */
export function abstractTokens(tokens: readonly string[], todayMs: number): readonly Token[] {
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
