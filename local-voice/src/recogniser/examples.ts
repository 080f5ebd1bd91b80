/**
 * Example sentences in the form that the grammar uses: lower-case words and slots.
 *
 * Slots are written in braces: `{digits}` (a code said digit by digit; `{digits 6}` for one of six digits), `{number}`,
 * `{amount}` (of money), `{date}`. Any other name in braces stands for one of the hints' phrases, or for spelled
 * letters if there are none.
 */
import { digitsToWords, numberToWords } from "@voice/shared/languages/en/values-to-words";

export type ExampleToken = { readonly type: "word"; readonly word: string } | SlotToken;

export interface SlotToken {
  readonly type: "slot";
  readonly slot: SlotName;
  /** The number of digits, if it is known. */
  readonly length: number | undefined;
}

export const slotNames = ["digits", "number", "amount", "date", "phrase"] as const;
export type SlotName = (typeof slotNames)[number];

const maxNumber = 999_999;

export function parseExample(text: string): ExampleToken[] {
  return [...text.toLowerCase().matchAll(/\{\s*([\w-]+)\s*(\d{1,2})?[^}]*\}|[^{}]+/g)].flatMap(
    ([written, slot, length]) =>
      slot === undefined
        ? spokenForm(written).map((word): ExampleToken => ({ type: "word", word }))
        : [slotToken(slot, length === undefined ? undefined : Number(length))],
  );
}

function slotToken(written: string, length: number | undefined): SlotToken {
  const slot = slotNames.find((name) => name === written) ?? "phrase";
  return { type: "slot", slot, length: slot === "digits" && length !== 0 ? length : undefined };
}

/** Words as they are in a dictionary: no punctuation but apostrophes, and digits as words. */
export function spokenForm(text: string): string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll(/[‘’]/g, "'").toLowerCase();
  return [...plain.matchAll(/[a-z]+(?:'[a-z]+)*|\d+/g)].flatMap(([word]) =>
    /\d/.test(word) ? numberWords(word) : [word],
  );
}

/**
 * `1984` in an example is read as a number, not as a year; anything longer or with a leading zero is read as a code.
 */
function numberWords(written: string): string[] {
  const value = Number(written);
  const isCode = value > maxNumber || /^0\d/.test(written);
  return (isCode ? digitsToWords(written) : numberToWords(value)).split(" ");
}
