/**
 * The codes that a caller is asked for, spoken digit by digit, for a second opinion in which no other words compete. In the first search
 * they compete with all sentences of an agent, and only one accent is known.
 */
import { spokenDigits, zeros } from "@voice/shared/languages/en/numerals";
import type { ExpectedDigits } from "./awaited-digits.ts";
import { createFsgBuilder } from "./fsg.ts";
import type { FsgBuilder } from "./fsg.ts";
import type { Grammar } from "./grammar.ts";

/** As in `awaited-digits.ts`: a code of another length is recognised as spoken, so that the agent can ask again. */
const otherLength = 0.02;
/** The probability that another digit follows. */
const stay = 0.85;
/**
 * How much less probable a "five" is than another digit. The engine's vowel for it explains a "four" slightly better than that word's own
 * vowel does (by up to 120 of its units in 2 s of speech), but a real "five" is better by far (600 and more). This factor is worth 145.
 */
const five = 0.1;
/** Low, because "oh" explains the hum between two words. */
const oh = 0.1;

const shares = new Map<string, number>([
  ["five", five],
  ["oh", oh],
]);
const known = new Map<string, Grammar>();

/** Somebody who says "zero" does not say "oh" in the same code. */
export function codeGrammar({ length, missing }: ExpectedDigits): Grammar {
  const key = `${length} ${missing}`;
  const grammar = known.get(key) ?? buildCodeGrammar(length, missing);
  known.set(key, grammar);
  return grammar;
}

/** Accepts only this code, with the probabilities that its digits have in the full grammar. */
export function oneCodeGrammar(code: string): Grammar {
  const fsg = createFsgBuilder();
  const digits = code.split(" ");
  let at = fsg.start;
  for (const [index, digit] of digits.entries()) {
    const next = index === digits.length - 1 ? fsg.end : fsg.state();
    fsg.arc(at, next, shares.get(digit) ?? 1, digit);
    at = next;
  }
  return { fsg: fsg.text(), vocabulary: new Set(fsg.vocabulary()), isThorough: true, hasPauses: true };
}

/** Only such a result of the first search is compared, because the first search is better at pairs and corrections. */
export function isCodeOrNothing(text: string): boolean {
  return text === "" || text.split(" ").every((word) => spokenDigits.includes(word));
}

/**
 * The digits of an expected code up to a pause. `ended`: the result for the complete utterance, to which the search adds a digit that
 * nobody has said rather than accept a code that is too short; `sounded`: the best words before that. Of 9 codes with pauses between their
 * digits all got a digit too many after the third, and of 96 spoken in one breath none loses a digit.
 */
export function digitsSoFar(ended: string, sounded: string): string {
  const isCode = sounded !== "" && isCodeOrNothing(sounded) && isCodeOrNothing(ended);
  return isCode && sounded.split(" ").length < ended.split(" ").length ? sounded : ended;
}

function buildCodeGrammar(length: number | undefined, missing: number | undefined): Grammar {
  const fsg = createFsgBuilder();
  for (const silent of zeros) {
    const digits = spokenDigits.filter((digit) => digit !== silent);
    for (const wanted of [length, missing]) if (wanted !== undefined) exactlyDigits(fsg, wanted, digits);
    const inside = fsg.state();
    digitArcs(fsg, fsg.start, inside, length === undefined ? 1 : otherLength, digits);
    digitArcs(fsg, inside, inside, stay, digits);
    fsg.arc(inside, fsg.end, 1 - stay);
  }
  return { fsg: fsg.text(), vocabulary: new Set(fsg.vocabulary()), isThorough: true, hasPauses: true };
}

function exactlyDigits(fsg: FsgBuilder, length: number, digits: readonly string[]): void {
  let at = fsg.start;
  for (let count = 1; count <= length; count++) {
    const next = count === length ? fsg.end : fsg.state();
    digitArcs(fsg, at, next, 1, digits);
    at = next;
  }
}

function digitArcs(fsg: FsgBuilder, from: number, to: number, probability: number, digits: readonly string[]): void {
  for (const digit of digits) fsg.arc(from, to, (probability * (shares.get(digit) ?? 1)) / digits.length, digit);
}
