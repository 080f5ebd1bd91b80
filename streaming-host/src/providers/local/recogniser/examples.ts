/**
 * Example sentences as the grammar takes them: lower-case words and slots.
 *
 * Slots are written in braces: `{digits}` (a code said digit by digit), `{number}`, `{amount}` (of money), `{date}`. Any
 * other name in braces stands for one of the hints' phrases, or for spelled letters where there are none.
 */
import { digits, numberInWords } from "./spoken-words.ts";

export type ExampleToken =
  | { readonly type: "word"; readonly word: string }
  | { readonly type: "slot"; readonly slot: SlotName };

export const slotNames = ["digits", "number", "amount", "date", "phrase"] as const;
export type SlotName = (typeof slotNames)[number];

const MAX_NUMBER = 999_999;

export function parseExample(text: string): ExampleToken[] {
  return [...text.toLowerCase().matchAll(/\{\s*([\w-]+)[^}]*\}|[^{}]+/g)].flatMap(([written, slot]) =>
    slot === undefined
      ? spokenForm(written).map((word): ExampleToken => ({ type: "word", word }))
      : [{ type: "slot", slot: slotNames.find((name) => name === slot) ?? "phrase" }],
  );
}

/** Words as a dictionary has them: no punctuation but apostrophes, digits as words. */
export function spokenForm(text: string): string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll(/[‘’]/g, "'").toLowerCase();
  return [...plain.matchAll(/[a-z]+(?:'[a-z]+)*|\d+/g)].flatMap(([word]) =>
    /\d/.test(word) ? numberWords(word) : [word],
  );
}

function numberWords(written: string): string[] {
  const value = Number(written);
  if (value <= MAX_NUMBER && !/^0\d/.test(written)) return numberInWords(value);
  return Array.from(written, (digit) => digits[digit === "0" ? 0 : Number(digit) + 1] ?? "");
}
