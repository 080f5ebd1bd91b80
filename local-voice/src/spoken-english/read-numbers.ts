/**
 * Parses numbers in recognised speech, where digits are words: "four four one two", "double four twelve", "twenty five
 * dollars and fifty cents". Also parses numerals, which typed turns and cloud recognisers contain.
 */
import { repetitions, scales, teens, tens, units } from "@voice/shared/languages/en/numerals";

const valueOf: ReadonlyMap<string, number> = new Map([
  ...["zero", "oh", "o"].map((word) => [word, 0] as const),
  ...units.map((word, index) => [word, index + 1] as const),
]);
const teenOf: ReadonlyMap<string, number> = new Map(teens.map((word, index) => [word, index + 10]));
const tensOf: ReadonlyMap<string, number> = new Map(tens.map((word, index) => [word, (index + 2) * 10]));
const scaleOf: ReadonlyMap<string, number> = new Map(scales);
const repetitionOf: ReadonlyMap<string, number> = new Map(repetitions);
/**
 * Words that recognisers write in place of similar-sounding digits. Read as digits only in the answer to a question.
 */
const homophones: Readonly<Record<string, string>> = {
  for: "four",
  fore: "four",
  to: "two",
  too: "two",
  won: "one",
  ate: "eight",
  tree: "three",
  sex: "six",
  nein: "nine",
};
const currencyWords = new Set(["dollar", "dollars", "buck", "bucks"]);
const centWords = new Set(["cent", "cents"]);
/** "k" for thousands, as people type it: "1.5k". */
const numeral = /^\$?(\d[\d,]*)(\.\d+)?(k)?$/;

/** A stretch of tokens that is one spoken number. */
export interface NumberRun {
  readonly start: number;
  readonly end: number;
  /** The number as a string of digits: "oh four" keeps its zero. */
  readonly digits: string;
  readonly value: number;
  /** The value including cents, if the words mention them. */
  readonly amount: number;
  readonly isMoney: boolean;
}

export function findNumbers(tokens: readonly string[]): readonly NumberRun[] {
  const runs: NumberRun[] = [];
  for (let at = 0; at < tokens.length;) {
    const run = readRun(tokens, at);
    if (run === undefined) at += 1;
    else {
      runs.push(run);
      at = run.end;
    }
  }
  return runs;
}

/** For the answer to "what is the number?": words that only sound like digits count as digits. */
export function withHomophones(tokens: readonly string[]): readonly string[] {
  return tokens.map((token) => homophones[token] ?? token);
}

interface Group {
  readonly digits: string;
  readonly next: number;
}

function readRun(tokens: readonly string[], start: number): NumberRun | undefined {
  const whole = readGroups(tokens, start);
  if (whole === undefined) return undefined;
  // "oh" alone is an interjection, not a number.
  if (whole.next === start + 1 && (tokens[start] === "oh" || tokens[start] === "o")) return undefined;
  let { next } = whole;
  let fraction = "";
  if (tokens[next] === "point") {
    const decimals = readGroups(tokens, next + 1);
    if (decimals !== undefined) ({ digits: fraction, next } = decimals);
  }
  const [integer = "", numeralFraction = ""] = whole.digits.split(".");
  const value = Number(`${integer}.${fraction === "" ? numeralFraction || "0" : fraction}`);
  const money = readMoney(tokens, next, value);
  return { start, end: money.next, digits: integer, value, amount: money.amount, isMoney: money.next > next };
}

function readMoney(tokens: readonly string[], at: number, value: number): { amount: number; next: number } {
  const word = tokens[at] ?? "";
  if (centWords.has(word)) return { amount: value / 100, next: at + 1 };
  if (!currencyWords.has(word)) return { amount: value, next: at };
  const centsAt = tokens[at + 1] === "and" ? at + 2 : at + 1;
  const cents = readGroups(tokens, centsAt);
  if (cents === undefined || !centWords.has(tokens[cents.next] ?? "")) return { amount: value, next: at + 1 };
  return { amount: value + Number(cents.digits) / 100, next: cents.next + 1 };
}

/** Consecutive numbers are concatenated: "two fifty" is 250, "forty four twelve" is 4412. */
function readGroups(tokens: readonly string[], start: number): Group | undefined {
  let digits = "";
  let next = start;
  for (let group = readGroup(tokens, next); group !== undefined; group = readGroup(tokens, next)) {
    digits += group.digits;
    next = group.next;
  }
  return next === start ? undefined : { digits, next };
}

function readGroup(tokens: readonly string[], at: number): Group | undefined {
  const token = tokens[at] ?? "";
  const times = repetitionOf.get(token);
  const repeated = valueOf.get(tokens[at + 1] ?? "");
  if (times !== undefined && repeated !== undefined) return { digits: String(repeated).repeat(times), next: at + 2 };
  const written = numeral.exec(token);
  if (written !== null) {
    const plain = `${written[1]?.replaceAll(",", "")}${written[2] ?? ""}`;
    return { digits: written[3] === undefined ? plain : String(Math.round(Number(plain) * 1000)), next: at + 1 };
  }
  const cardinal = readCardinal(tokens, at);
  return cardinal === undefined ? undefined : { digits: String(cardinal.value), next: cardinal.next };
}

interface Cardinal {
  readonly value: number;
  readonly next: number;
}

/** "two thousand four hundred and twelve": falling scales, each with a part below a thousand. */
function readCardinal(tokens: readonly string[], start: number): Cardinal | undefined {
  let part = readBelowThousand(tokens, start);
  if (part === undefined) return undefined;
  let total = 0;
  let lastScale = Number.POSITIVE_INFINITY;
  for (;;) {
    const scale = scaleOf.get(tokens[part.next] ?? "");
    if (scale === undefined || scale >= lastScale || part.value === 0)
      return { value: total + part.value, next: part.next };
    total += part.value * scale;
    lastScale = scale;
    const afterScale: number = part.next + 1;
    const rest = readBelowThousand(tokens, tokens[afterScale] === "and" ? afterScale + 1 : afterScale);
    if (rest === undefined || rest.value === 0) return { value: total, next: afterScale };
    part = rest;
  }
}

function readBelowThousand(tokens: readonly string[], at: number): Cardinal | undefined {
  const article = tokens[at] === "a" && (tokens[at + 1] === "hundred" || scaleOf.has(tokens[at + 1] ?? ""));
  const head = article ? { value: 1, next: at + 1 } : readBelowHundred(tokens, at);
  if (head === undefined || tokens[head.next] !== "hundred" || head.value === 0) return head;
  const afterHundred = head.next + 1;
  const rest = readBelowHundred(tokens, tokens[afterHundred] === "and" ? afterHundred + 1 : afterHundred);
  if (rest === undefined || rest.value === 0) return { value: head.value * 100, next: afterHundred };
  return { value: head.value * 100 + rest.value, next: rest.next };
}

function readBelowHundred(tokens: readonly string[], at: number): Cardinal | undefined {
  const token = tokens[at] ?? "";
  const ten = tensOf.get(token);
  if (ten !== undefined) {
    const unit = valueOf.get(tokens[at + 1] ?? "");
    return unit === undefined || unit === 0 ? { value: ten, next: at + 1 } : { value: ten + unit, next: at + 2 };
  }
  const value = teenOf.get(token) ?? valueOf.get(token);
  return value === undefined ? undefined : { value, next: at + 1 };
}
