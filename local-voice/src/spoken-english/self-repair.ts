/** "Seven two nine five, sorry, six": recognises the words between what people take back and what they mean. */
import { scales } from "@voice/shared/languages/en/numerals";
import { findNumbers, type NumberRun } from "./read-numbers.ts";

const repairs = [
  "sorry",
  "no",
  "nope",
  "wait",
  "i mean",
  "i meant",
  "actually",
  "rather",
  "make that",
  "make it",
  "correction",
  "scratch that",
  "excuse me",
];
/** Words that do not occur in codes. */
const quantities = new Set<string>(["hundred", ...scales.map(([word]) => word), "dollars", "dollar", "bucks"]);
/** More words than this between two values ("no wait, I mean") are a sentence of their own. */
const maxRepairWords = 5;

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Whether the words between two values take back the first one. */
export function isTakenBack(tokens: readonly string[], first: Place, second: Place): boolean {
  const between = tokens.slice(first.end, second.start);
  const text = ` ${between.join(" ")} `;
  return between.length <= maxRepairWords && repairs.some((repair) => text.includes(` ${repair} `));
}

/** Removes the values that the caller took back in the same breath. */
export function lastMeant<Value extends Place>(values: readonly Value[], tokens: readonly string[]): readonly Value[] {
  return values.filter((value, at) => {
    const next = values[at + 1];
    return next === undefined || !isTakenBack(tokens, value, next);
  });
}

/** "Seven two nine five, oh sorry, seven two nine six": the "oh" belongs to the "sorry" and is not a zero. */
function isSaidAgain(before: NumberRun, run: NumberRun, tokens: readonly string[]): boolean {
  return tokens[before.end - 1] === "oh" && before.digits.length === run.digits.length + 1;
}

/** The numbers that remain. Fewer digits than were taken back replace the end of the same code: "7295, sorry, 6". */
export function numbersMeant(tokens: readonly string[]): readonly NumberRun[] {
  const meant: NumberRun[] = [];
  for (const run of findNumbers(tokens)) {
    const before = meant.at(-1);
    if (before === undefined || !isTakenBack(tokens, before, run)) {
      meant.push(run);
      continue;
    }
    meant.pop();
    const isCode = tokens.slice(before.start, run.end).every((token) => !quantities.has(token));
    const kept = isCode && !isSaidAgain(before, run, tokens) ? before.digits.slice(0, -run.digits.length) : "";
    meant.push({ ...run, start: before.start, digits: `${kept}${run.digits}` });
  }
  return meant;
}
