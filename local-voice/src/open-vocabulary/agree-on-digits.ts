/**
 * Two recognisers have heard an answer to a question for digits. A code that both have is certain, however it is written; of any other the
 * caller is asked, because either of them takes every third or fourth code of a person for another one. Pure.
 */
import { digitsToWords } from "@voice/shared/languages/en/spoken-values";
import type { AwaitedDigits } from "@voice/provider-kit/ports/recogniser";
import { findNumbers, withHomophones } from "../spoken-english/read-numbers.ts";
import { tokenise, withoutFillers } from "../rule-model/words.ts";

export interface AgreedDigits {
  readonly text: string;
  readonly guess?: string;
}

/** Undefined if neither has digits and nothing else: somebody says something else. `grammar`: its text, or its guess. */
export function agreeOnDigits(
  grammar: string,
  open: string,
  { length, missing }: AwaitedDigits,
): AgreedDigits | undefined {
  const [ours, theirs] = [digitsIn(grammar), digitsIn(open)];
  if (ours === undefined && theirs === undefined) return undefined;
  if (ours === theirs) return { text: grammar };
  const isWhole = (digits: string): boolean => digits.length === length || digits.length === missing;
  // A part of a code may be followed by the rest, and be repeated.
  if (ours === undefined && theirs !== undefined && !isWhole(theirs)) return { text: digitsToWords(theirs) };
  if (ours !== undefined && theirs === undefined && !isWhole(ours)) return { text: grammar };
  // The open recogniser knows all words, and wrote none but digits.
  const isTheirs = theirs !== undefined && (ours === undefined || isWhole(theirs));
  return { text: "", guess: isTheirs ? digitsToWords(theirs) : grammar };
}

/** Undefined if there is anything but digits. */
function digitsIn(text: string): string | undefined {
  const tokens = withHomophones(withoutFillers(tokenise(text)));
  const runs = findNumbers(tokens);
  const covered = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  return covered === 0 || covered < tokens.length ? undefined : runs.map(({ digits }) => digits).join("");
}
