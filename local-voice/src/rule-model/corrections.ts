/**
 * "No, I said five hundred", "actually the other card", "and my savings?": finds what a sentence changes about a
 * request.
 */
import type { Intent } from "../rules/rules.ts";
import { slotsInSentence, type SlotValues } from "./match-intent.ts";
import { tokenise } from "./compare-words.ts";

const openings = new Set(["no", "nope", "not", "wait", "sorry", "actually", "rather"]);
const phrases = ["i said", "i meant", "i mean", "make it", "instead", "actually", "rather", "change it", "change that"];
const furtherPhrases = ["and", "what about", "how about", "or", "also", "same for", "now"];
/** A sentence with more words than this is a request of its own. */
const maxEllipsis = 7;

export function isCorrection(utterance: string): boolean {
  const tokens = tokenise(utterance);
  const text = ` ${tokens.join(" ")} `;
  return openings.has(tokens[0] ?? "") || phrases.some((phrase) => text.includes(` ${phrase} `));
}

/** "And the other one?", "what about ten thousand?": the same request again with another value. */
export function isEllipsis(utterance: string): boolean {
  const tokens = tokenise(utterance);
  const text = `${tokens.join(" ")} `;
  return tokens.length <= maxEllipsis && furtherPhrases.some((phrase) => text.startsWith(`${phrase} `));
}

/** The slots to which the sentence gives a different value. */
export function changedSlots(intent: Intent, known: SlotValues, utterance: string, todayMs: number): SlotValues {
  const said = slotsInSentence(intent, utterance, todayMs, known);
  return Object.fromEntries(Object.entries(said).filter(([name, value]) => value !== known[name]));
}

export function isEmpty(slots: SlotValues): boolean {
  return Object.keys(slots).length === 0;
}
