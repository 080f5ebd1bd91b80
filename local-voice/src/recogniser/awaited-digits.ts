/**
 * A code that the agent has asked for: the expected number of digits is most probable. Digits are spoken one by one, doubled ("double
 * two"), or in pairs ("forty four twelve"); somebody who says "zero" does not say "oh" in the same code.
 */
import type { AwaitedDigits } from "@voice/provider-kit/ports/recogniser";
import type { FsgBuilder } from "./fsg.ts";
import { repetitions, spokenDigits, teens, tens, units, zeros } from "@voice/shared/languages/en/numerals";

/**
 * Probabilities of the other forms; the rest belongs to a single digit. They are small because these forms are short: one word for two
 * digits can explain a hum, and "seventeen" is close to "seven two". Measured with 4 voices: of 32 codes spoken digit by digit, 142 of 152
 * digits were recognised correctly (131 without knowing the question), of 11 in other forms 44 of 44 (24), and 2 of 56 foreign sentences
 * became a code (1). With ten times the shares it was 141, 42 and 4.
 */
const pair = 0.003;
const repeatedProbability = 0.0005;
/**
 * The probability of a code with fewer or more digits than requested. It is recognised as spoken, so that the agent can
 * ask again.
 */
const otherLength = 0.02;
/** The probability that the caller corrects a code in the same breath. */
const correctedProbability = 0.06;
/** The probability that another digit follows, if the length of the code is unknown. */
const stay = 0.85;

export type ExpectedDigits = Pick<AwaitedDigits, "length" | "missing">;

export function awaitedDigits(
  fsg: FsgBuilder,
  from: number,
  to: number,
  probability: number,
  { length, missing }: ExpectedDigits,
): void {
  for (const silent of zeros.toReversed()) {
    const spoken = spokenDigits.filter((digit) => digit !== silent);
    // "oh" cannot come first if the length is open: a hum would be recognised as a code.
    const first = length === undefined ? spoken.filter((digit) => digit !== "oh") : spoken;
    if (length !== undefined) {
      const said = fsg.state();
      exactly(fsg, from, said, probability, spoken, length);
      fsg.arc(said, to, 1);
      corrected(fsg, said, to, spoken, length);
    }
    if (missing !== undefined) exactly(fsg, from, to, probability, spoken, missing);
    anyNumber(fsg, from, to, length === undefined ? probability : probability * otherLength, spoken, first);
  }
}

/** "…, sorry, six": repeats the end of the code, or all of it. */
function corrected(fsg: FsgBuilder, said: number, to: number, spoken: readonly string[], length: number): void {
  const repaired = fsg.state();
  const afterI = fsg.state();
  fsg.words(said, repaired, correctedProbability, ["sorry", "no", "wait"]);
  fsg.arc(said, afterI, correctedProbability / 3, "i");
  fsg.words(afterI, repaired, 1, ["mean", "meant"]);
  let at = repaired;
  for (let digit = 0; digit < length; digit++) {
    const next = fsg.state();
    fsg.words(at, next, 1, spoken);
    fsg.arc(next, to, 1);
    at = next;
  }
}

function exactly(
  fsg: FsgBuilder,
  from: number,
  to: number,
  probability: number,
  spoken: readonly string[],
  length: number,
): void {
  const states = Array.from({ length: length + 1 }, (_, index) =>
    index === 0 ? from : index === length ? to : fsg.state(),
  );
  for (const [index, state] of states.entries()) {
    const share = index === 0 ? probability : 1;
    oneStep(fsg, state, (count) => states[index + count], share, spoken, spoken);
  }
}

function anyNumber(
  fsg: FsgBuilder,
  from: number,
  to: number,
  probability: number,
  spoken: readonly string[],
  first: readonly string[],
): void {
  const inside = fsg.state();
  oneStep(fsg, from, () => inside, probability, first, spoken);
  oneStep(fsg, inside, () => inside, stay, spoken, spoken);
  fsg.arc(inside, to, 1 - stay);
}

/** `after` returns the state that many digits further on; undefined if there is none. */
function oneStep(
  fsg: FsgBuilder,
  from: number,
  after: (count: number) => number | undefined,
  share: number,
  single: readonly string[],
  repeated: readonly string[],
): void {
  const one = after(1);
  if (one === undefined) return;
  fsg.words(from, one, share * (1 - pair - repeatedProbability), single);
  const two = after(2);
  if (two !== undefined) {
    fsg.words(from, two, share * pair * 0.4, [...teens, ...tens]);
    const afterTens = fsg.state();
    fsg.words(from, afterTens, share * pair * 0.6, tens);
    fsg.words(afterTens, two, 1, units);
  }
  for (const [word, count] of repetitions) {
    const end = after(count);
    if (end === undefined) continue;
    const afterWord = fsg.state();
    fsg.arc(from, afterWord, share * repeatedProbability, word);
    fsg.words(afterWord, end, 1, repeated);
  }
}
