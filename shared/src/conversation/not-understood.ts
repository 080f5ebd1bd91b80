/**
 * Speech in which no word was recognised, or only a guess could be made. It is noted in the history because the agent has to know of it,
 * although it is not text of the caller: after the second time in a row the agent should ask in another way.
 */
import type { HistoryItem } from "../state/ports/session-store.ts";

const remark = "The caller said something that could not be understood.";
const guessed = /^ It may have been: "(.*)"$/s;

/** What a chat model reads in place of the caller's text. */
export function notUnderstoodMessage(guess: string | undefined): string {
  return guess === undefined
    ? `[${remark} Ask again in other words; if it keeps happening, offer a person.]`
    : `[${remark} It may have been: "${guess}" Ask whether it was, and act upon it only after a yes.]`;
}

export function notUnderstoodItem(
  place: Pick<HistoryItem, "agent" | "turnId" | "timestampMs">,
  guess: string | undefined,
): HistoryItem {
  const content = guess === undefined ? remark : `${remark} It may have been: "${guess}"`;
  return { ...place, role: "system", content, interrupted: false };
}

/** Reads such a message back; undefined if it is ordinary text of the caller. */
export function readNotUnderstoodMessage(content: string): { readonly guess: string | undefined } | undefined {
  if (!content.startsWith(`[${remark}`)) return undefined;
  return { guess: /It may have been: "(.*)" Ask whether/s.exec(content)?.[1] };
}

/** The note of such an item, with the guess that it contains; undefined for every other item. */
export function readNotUnderstood({
  role,
  content,
}: Pick<HistoryItem, "role" | "content">): { readonly guess: string | undefined } | undefined {
  if (role !== "system" || !content.startsWith(remark)) return undefined;
  return { guess: guessed.exec(content.slice(remark.length))?.[1] };
}
