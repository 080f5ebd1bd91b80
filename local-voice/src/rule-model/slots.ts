/** Reads a slot's value out of what the caller said. */
import type { Slot } from "../rules/rules.ts";
import { findDates } from "../spoken-english/read-dates.ts";
import type { Outlook } from "../spoken-english/read-dates.ts";
import { withHomophones } from "../spoken-english/read-numbers.ts";
import { lastMeant, numbersMeant } from "../spoken-english/self-repair.ts";
import type { Place } from "../spoken-english/self-repair.ts";
import { isSameWord } from "./compare-words.ts";

export type SlotValue = string | number;

const nameCarriers = [
  "my name is",
  "the name is",
  "name is",
  "this is",
  "i am",
  "i'm",
  "it's",
  "it is",
  "you can call me",
  "for",
];
const maxNameWords = 4;

/** `tokens` answer the slot's own question, so anything in them may be the value. */
export function slotFromAnswer(slot: Slot, tokens: readonly string[], todayMs: number): SlotValue | undefined {
  switch (slot.type) {
    case "digits":
    case "number":
    case "amount":
      return slotFromSentence(slot, tokens, todayMs) ?? slotFromSentence(slot, withHomophones(tokens), todayMs);
    case "name":
      return nameFrom(tokens);
    case "text":
      return tokens.length === 0 ? undefined : tokens.join(" ");
    case "date":
    case "choice":
      return slotFromSentence(slot, tokens, todayMs);
    default:
      return slot.type satisfies never;
  }
}

/**
 * `tokens` are any sentence, so only unmistakable values count. Names and free text need a place in an example. `known`
 * is the slot's current value: "the other card" depends on it, and a sentence with both values changes it.
 */
export function slotFromSentence(
  slot: Slot,
  tokens: readonly string[],
  todayMs: number,
  known?: SlotValue,
): SlotValue | undefined {
  const values = slotValues(slot, tokens, todayMs, known);
  return values.find((value) => value !== known) ?? values[0];
}

/** All values in the sentence that are not negated, in the order in which they are said. */
export function slotValues(
  slot: Slot,
  tokens: readonly string[],
  todayMs: number,
  known?: SlotValue,
): readonly SlotValue[] {
  switch (slot.type) {
    case "digits":
      return meant(numbersMeant(tokens), tokens).flatMap(({ digits }) =>
        slot.length === undefined || digits.length === slot.length ? [digits] : [],
      );
    case "number":
      return meant(numbersMeant(tokens), tokens).map(({ value }) => value);
    case "amount":
      return meant(numbersMeant(tokens), tokens).map(({ amount }) => amount);
    case "date":
      return meant(lastMeant(findDates(tokens, todayMs, outlookOf(slot)), tokens), tokens).map(({ iso }) => iso);
    case "choice":
      return choicesIn(slot, tokens, known);
    case "name":
    case "text":
      return [];
    default:
      return slot.type satisfies never;
  }
}

function outlookOf({ future }: Slot): Outlook {
  return future === true ? "future" : "past";
}

const denials = new Set(["not", "isn't", "wasn't", "don't", "instead", "than"]);
/** The most words between "not" and the value that it negates: "not from my savings". */
const denialReach = 3;

/** "Not five thousand, five hundred": a negated value is ignored if there is another. */
function meant<Value extends Place>(values: readonly Value[], tokens: readonly string[]): readonly Value[] {
  const kept = notDenied(values, tokens);
  return kept.length === 0 ? values : kept;
}

/** Only the next value is denied: "not checking, savings" means the savings. */
function notDenied<Value extends Place>(values: readonly Value[], tokens: readonly string[]): readonly Value[] {
  return values.filter(({ start }) => {
    const ends = values.map(({ end }) => end).filter((end) => end <= start);
    return tokens.slice(Math.max(0, start - denialReach, ...ends), start).every((token) => !denials.has(token));
  });
}

/** A code given in pieces: joins the earlier and the new digits unless that makes more than the code has. */
export function joinedDigits(
  before: string | undefined,
  tokens: readonly string[],
  length: number | undefined,
): string | undefined {
  const said = numbersMeant(withHomophones(tokens))
    .map(({ digits }) => digits)
    .join("");
  if (said === "" || length === undefined) return undefined;
  const joined = `${before ?? ""}${said}`;
  return joined.length <= length ? joined : said;
}

/** The words that an example's `{name}` or `{text}` covers. */
export function slotFromWildcard(slot: Slot, tokens: readonly string[]): SlotValue | undefined {
  if (tokens.length === 0) return undefined;
  return slot.type === "name" ? capitalised(tokens.slice(0, maxNameWords)) : tokens.join(" ");
}

function nameFrom(tokens: readonly string[]): string | undefined {
  const text = tokens.join(" ");
  const carrier = nameCarriers.find((words) => text.startsWith(`${words} `));
  const words = (carrier === undefined ? text : text.slice(carrier.length + 1))
    .split(" ")
    .filter((word) => word !== "");
  const isName = words.length > 0 && words.length <= maxNameWords && words.every((word) => /^[a-z'.]+$/.test(word));
  return isName ? capitalised(words) : undefined;
}

function capitalised(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
}

/** The longest wording at a position wins ("debit card" before "card"). */
function choicesIn(slot: Slot, tokens: readonly string[], known: SlotValue | undefined): readonly string[] {
  const options = Object.entries(slot.options ?? {});
  const found = options.flatMap(([value, wordings]) => {
    const places = wordings.flatMap((wording) => {
      const words = wording.split(" ");
      const start = phraseAt(tokens, words);
      return start === -1 ? [] : [{ value, start, end: start + words.length, words: words.length }];
    });
    return places.toSorted((left, right) => right.words - left.words).slice(0, 1);
  });
  const clear = found.filter(
    ({ start, words }) =>
      !found.some((other) => other.words > words && other.start <= start && start < other.start + other.words),
  );
  if (clear.length === 0 && options.length === 2) {
    const names = options.map(([value]) => value);
    if (tokens.includes("both")) return names;
    if (known !== undefined && tokens.includes("other")) return names.filter((value) => value !== known);
  }
  const inOrder = lastMeant(
    clear.toSorted((left, right) => left.start - right.start),
    tokens,
  );
  const isOnlyDenied = inOrder.length === 1 && tokens.includes("not") && notDenied(inOrder, tokens).length === 0;
  if (isOnlyDenied && options.length === 2)
    return options.map(([value]) => value).filter((value) => value !== inOrder[0]?.value);
  return meant(inOrder, tokens).map(({ value }) => value);
}

function phraseAt(tokens: readonly string[], words: readonly string[]): number {
  return tokens.findIndex((_, start) => words.every((word, index) => isSameWord(tokens[start + index] ?? "", word)));
}
