/**
 * Example sentences in the form that the grammar uses: lower-case words and slots.
 *
 * Slots are written in braces: `{digits}` (a code said digit by digit; `{digits 6}` for one of six digits), `{number}`,
 * `{amount}` (of money), `{date}`. A choice lists its wordings in one of the examples, `{order.size: small | large}`, and is `{order.size}` in
 * the others. Any other name in braces stands for one of the hints' phrases, or for spelled letters if there are none.
 */
import { digitsToWords, numberToWords } from "@voice/shared/languages/en/spoken-values";

export type ExampleToken = { readonly type: "word"; readonly word: string } | SlotToken | ChoiceToken;

/** One of a list of wordings. */
export interface ChoiceToken {
  readonly type: "choice";
  readonly name: string;
  /** The part of the name before its last dot: examples with choices of one group continue each other. */
  readonly group: string;
  readonly wordings: readonly (readonly string[])[];
}

export interface SlotToken {
  readonly type: "slot";
  readonly slot: SlotName;
  /** The number of digits, if it is known. */
  readonly length: number | undefined;
}

export const slotNames = ["digits", "number", "amount", "date", "phrase"] as const;
export type SlotName = (typeof slotNames)[number];

const maxNumber = 999_999;

const parts = /\{\s*([\w.-]+)\s*(?:(\d{1,2})|:([^}]*))?[^}]*\}|[^{}]+/g;

/** The examples that have any words. */
export function parseExamples(texts: readonly string[]): readonly (readonly ExampleToken[])[] {
  const found = texts.map((text) => [...text.toLowerCase().matchAll(parts)]);
  const choices = new Map<string, ChoiceToken>();
  for (const [, name = "", , listed] of found.flat())
    if (listed !== undefined) choices.set(name, choiceToken(name, listed, choices.get(name)));
  const tokensOf = ([written, slot, length]: RegExpExecArray): readonly ExampleToken[] => {
    if (slot === undefined) return spokenForm(written).map((word) => ({ type: "word", word }));
    return [choices.get(slot) ?? slotToken(slot, length === undefined ? undefined : Number(length))];
  };
  return found.map((example) => example.flatMap(tokensOf)).filter((tokens) => tokens.length > 0);
}

/** Two agents whose examples are recognised together may each have a choice of the same name. */
function choiceToken(name: string, listed: string, before: ChoiceToken | undefined): ChoiceToken {
  const wordings = listed
    .split("|")
    .map(spokenForm)
    .filter((words) => words.length > 0);
  return {
    type: "choice",
    name,
    group: name.slice(0, Math.max(0, name.lastIndexOf("."))),
    wordings: [...(before?.wordings ?? []), ...wordings],
  };
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
