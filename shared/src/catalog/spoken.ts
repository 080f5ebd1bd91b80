/**
 * Numbers as people say them. Templates use these so that every synthesiser says the same thing, and so that what was
 * meant can be compared with what was heard.
 */

const small = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
  "thirteen",
  "fourteen",
  "fifteen",
  "sixteen",
  "seventeen",
  "eighteen",
  "nineteen",
] as const;
const tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"] as const;
const scales = [
  [1_000_000_000, "billion"],
  [1_000_000, "million"],
  [1000, "thousand"],
  [100, "hundred"],
] as const;
const ordinalEndings: Readonly<Record<string, string>> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth",
};
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** 1234 → "one thousand two hundred thirty four". Fractions are cut off. */
export function numberToWords(value: number): string {
  const whole = Math.trunc(value);
  if (whole < 0) return `minus ${numberToWords(-whole)}`;
  if (whole < small.length) return small[whole] ?? "";
  if (whole < 100) {
    const rest = whole % 10;
    return rest === 0 ? (tens[whole / 10] ?? "") : `${tens[Math.trunc(whole / 10)]} ${small[rest]}`;
  }
  for (const [size, word] of scales) {
    if (whole < size) continue;
    const rest = whole % size;
    const head = `${numberToWords(Math.trunc(whole / size))} ${word}`;
    return rest === 0 ? head : `${head} ${numberToWords(rest)}`;
  }
  return String(whole);
}

/** "4412" → "four four one two". Anything but digits is left out. */
export function digitsToWords(digits: string): string {
  return (digits.match(/\d/g) ?? []).map((digit) => small[Number(digit)]).join(" ");
}

/** 1234.5 → "one thousand two hundred thirty four dollars and fifty cents". */
export function moneyToWords(amount: number): string {
  const totalCents = Math.round(Math.abs(amount) * 100);
  const dollars = Math.trunc(totalCents / 100);
  const cents = totalCents % 100;
  const parts: string[] = [];
  if (dollars > 0 || cents === 0) parts.push(`${numberToWords(dollars)} ${dollars === 1 ? "dollar" : "dollars"}`);
  if (cents > 0) parts.push(`${numberToWords(cents)} ${cents === 1 ? "cent" : "cents"}`);
  return `${amount < 0 ? "minus " : ""}${parts.join(" and ")}`;
}

/** 21 → "twenty first". */
export function ordinalToWords(value: number): string {
  const words = numberToWords(value).split(" ");
  const last = words.at(-1) ?? "";
  const ordinal = ordinalEndings[last] ?? (last.endsWith("y") ? `${last.slice(0, -1)}ieth` : `${last}th`);
  return [...words.slice(0, -1), ordinal].join(" ");
}

/** "2026-03-21" (a time of day may follow) → "March twenty first". Anything else is returned as it is. */
export function dateToWords(isoDate: string): string {
  const match = /^\d{4}-(\d{2})-(\d{2})/.exec(isoDate);
  const month = months[Number(match?.[1]) - 1];
  return match === null || month === undefined ? isoDate : `${month} ${ordinalToWords(Number(match[2]))}`;
}
