/**
 * Puts values into words as people say them. Templates use these so that every synthesiser says the same thing, and so
 * that the intended text can be compared with what was recognised.
 */
import { moneyWords } from "../money-words.ts";
import { months } from "./calendar.ts";
import { scales, teenOrdinals, teens, tens, tensOrdinals, unitOrdinals, units } from "./numerals.ts";

const belowTwenty = ["zero", ...units, ...teens];
const counted = [...scales, ["hundred", 100]] as const;
const ordinals = new Map([
  ...units.map((word, index) => [word, unitOrdinals[index]] as const),
  ...teens.map((word, index) => [word, teenOrdinals[index]] as const),
  ...tens.map((word, index) => [word, tensOrdinals[index]] as const),
]);

/** 1234 → "one thousand two hundred thirty four". Fractions are cut off. */
export function numberToWords(value: number): string {
  const whole = Math.trunc(value);
  if (whole < 0) return `minus ${numberToWords(-whole)}`;
  if (whole < belowTwenty.length) return belowTwenty[whole] ?? "";
  if (whole < 100) {
    const ten = tens[Math.trunc(whole / 10) - 2] ?? "";
    return whole % 10 === 0 ? ten : `${ten} ${belowTwenty[whole % 10]}`;
  }
  for (const [word, size] of counted) {
    if (whole < size) continue;
    const rest = whole % size;
    const head = `${numberToWords(Math.trunc(whole / size))} ${word}`;
    return rest === 0 ? head : `${head} ${numberToWords(rest)}`;
  }
  return String(whole);
}

/** "4412" → "four four one two". Characters other than digits are left out. */
export function digitsToWords(digits: string): string {
  return (digits.match(/\d/g) ?? []).map((digit) => belowTwenty[Number(digit)]).join(" ");
}

/** 1234.5 → "one thousand two hundred thirty four dollars and fifty cents". */
export const moneyToWords = moneyWords({
  locale: "en-US",
  usual: "USD",
  names: {
    USD: { unit: ["dollar", "dollars"], cent: ["cent", "cents"] },
    EUR: { unit: ["euro", "euros"], cent: ["cent", "cents"] },
    GBP: { unit: ["pound", "pounds"], cent: ["penny", "pence"] },
    CHF: { unit: ["franc", "francs"], cent: ["centime", "centimes"] },
  },
  count: (value, name) => `${numberToWords(value)} ${name}`,
  and: "and",
  minus: "minus",
});

/** 21 → "twenty first". */
export function ordinalToWords(value: number): string {
  const words = numberToWords(value).split(" ");
  const last = words.at(-1) ?? "";
  return [...words.slice(0, -1), ordinals.get(last) ?? `${last}th`].join(" ");
}

/** "2026-03-21" (a time of day may follow) → "March twenty first". Anything else is returned as it is. */
export function dateToWords(isoDate: string): string {
  const match = /^\d{4}-(\d{2})-(\d{2})/.exec(isoDate);
  const month = months[Number(match?.[1]) - 1];
  if (match === null || month === undefined) return isoDate;
  return `${month.charAt(0).toUpperCase()}${month.slice(1)} ${ordinalToWords(Number(match[2]))}`;
}
