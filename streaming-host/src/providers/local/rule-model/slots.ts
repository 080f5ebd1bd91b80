/** Reads a slot's value out of what the caller said. */
import type { Slot } from "@voice/shared/catalog/rules";
import { findDate } from "./spoken-dates.ts";
import { findNumbers, withHomophones } from "./spoken-numbers.ts";
import { isSameWord } from "./words.ts";

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

/** `tokens` are the answer to the slot's own question, so everything in them may be read as a value. */
export function slotFromAnswer(slot: Slot, tokens: readonly string[], todayMs: number): SlotValue | undefined {
  switch (slot.type) {
    case "digits":
      return slotFromSentence(slot, tokens, todayMs) ?? slotFromSentence(slot, withHomophones(tokens), todayMs);
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

/** `tokens` are any sentence; only what is unmistakable counts. Names and free text need their place in an example. */
export function slotFromSentence(slot: Slot, tokens: readonly string[], todayMs: number): SlotValue | undefined {
  switch (slot.type) {
    case "digits":
      return findNumbers(tokens).find((run) => slot.length === undefined || run.digits.length === slot.length)?.digits;
    case "number":
      return findNumbers(tokens)[0]?.value;
    case "amount":
      return findNumbers(tokens)[0]?.amount;
    case "date":
      return findDate(tokens, todayMs)?.iso;
    case "choice":
      return choiceFrom(slot, tokens);
    case "name":
    case "text":
      return undefined;
    default:
      return slot.type satisfies never;
  }
}

/** The words that an example's `{name}` or `{text}` stands over. */
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

/** The option whose words are all there; the longest wording wins ("debit card" before "card"). */
function choiceFrom(slot: Slot, tokens: readonly string[]): string | undefined {
  let best: { value: string; words: number } | undefined;
  for (const [value, wordings] of Object.entries(slot.options ?? {})) {
    for (const wording of wordings) {
      const words = wording.split(" ");
      if (words.length > (best?.words ?? 0) && containsPhrase(tokens, words)) best = { value, words: words.length };
    }
  }
  return best?.value;
}

function containsPhrase(tokens: readonly string[], words: readonly string[]): boolean {
  return tokens.some((_, start) => words.every((word, index) => isSameWord(tokens[start + index] ?? "", word)));
}
