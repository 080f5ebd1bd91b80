/**
 * Two recognisers have heard an answer to a question for digits. A code that both have is certain, however it is written, and so is one of
 * which the open recogniser is; of any other the caller is asked. Pure.
 */
import { digitsToWords } from "@voice/shared/languages/en/spoken-values";
import type { AwaitedDigits } from "@voice/provider-kit/ports/recogniser";
import type { OpenText } from "./moonshine.ts";
import { leadOf, leastFit, mayBeSaid } from "./ranked-codes.ts";
import { findNumbers, withHomophones } from "../spoken-english/read-numbers.ts";
import { tokenise, withoutFillers } from "../rule-model/compare-words.ts";

export interface AgreedDigits {
  readonly text: string;
  readonly guess?: string;
}

/** Any other code is less probable by this factor at least, and mostly by far more: chosen by synthesised codes (decision 089). */
const certainLead = Math.log(10);
/** The grammar has every second code of a person, but shares errors with the open recogniser: a factor of 2 accepted wrong codes. */
const leadWithGrammar = Math.log(5);
/** Said to nobody who asks for a code, it would be one of 20 times. */
const certainFit = -Math.log(20);

/** Undefined if neither has digits and nothing else: somebody says something else. `grammar`: its text, or its guess. */
export function agreeOnDigits(
  grammar: string,
  { text: open, codes = [], part }: OpenText,
  { length, missing }: AwaitedDigits,
): AgreedDigits | undefined {
  const ours = digitsIn(grammar);
  const [code] = codes;
  if (mayBeSaid(code)) {
    const lead = leadOf(codes);
    if (code.digits === ours && lead >= leadWithGrammar) return { text: grammar };
    const words = digitsToWords(code.digits);
    const isCertain = lead >= certainLead && code.fit > Math.max(certainFit, part?.fit ?? -Infinity);
    return isCertain ? { text: words } : { text: "", guess: words };
  }
  const theirs = digitsIn(open);
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

/** Undefined: nothing was heard. */
export function mayBeDigits(open: OpenText | undefined): boolean {
  return mayBeSaid(open?.codes?.[0]) || mayBeSaid(open?.part);
}

/** What the caller has said in a pause is most probably digits of which more are to come. */
export function digitsSoFar({ codes = [], part }: OpenText): string | undefined {
  if (part === undefined || part.fit <= Math.max(leastFit, codes[0]?.fit ?? -Infinity)) return undefined;
  return digitsToWords(part.digits);
}

/** Undefined if there is anything but digits. */
export function digitsIn(text: string): string | undefined {
  const tokens = withHomophones(withoutFillers(tokenise(text)));
  const runs = findNumbers(tokens);
  const covered = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  return covered === 0 || covered < tokens.length ? undefined : runs.map(({ digits }) => digits).join("");
}
