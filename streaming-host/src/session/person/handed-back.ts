/** PERSON-7: what the agent knows when a person hands the conversation back. */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";

/** What the model is asked for, in place of words of the caller. */
export const handedBack =
  "[A colleague has just spoken with the caller in person and hands the conversation back to you. Say in one sentence that you are back, and go on from what they have settled. Do not ask for anything again that was said.]";

/** The person's notes, as the agent and everybody who reads the history see them. */
export function handBackItem(notes: string, place: Pick<HistoryItem, "agent" | "turnId" | "timestampMs">): HistoryItem {
  const content = `The colleague hands the conversation back to the agent${notes === "" ? "." : `, with these notes: ${notes}`}`;
  return { ...place, role: "system", content, author: "person", interrupted: false };
}
