/** PERSON-7: what the agent knows when a person hands the conversation back. */
import type { HistoryItem } from "../state/ports/session-store.ts";

/** The instruction to the model when a person hands the conversation back, in place of the caller's words. */
export const handedBack =
  "[A colleague has just spoken with the caller in person and hands the conversation back to you. Say in one sentence that you are back, and go on from what they have settled. Do not ask for anything again that was said.]";

const note = "The colleague hands the conversation back to the agent";

/** The person's notes, as the agent and everybody who reads the history see them. */
export function handBackItem(notes: string, place: Pick<HistoryItem, "agent" | "turnId" | "timestampMs">): HistoryItem {
  const content = `${note}${notes === "" ? "." : `, with these notes: ${notes}`}`;
  return { ...place, role: "system", content, author: "person", interrupted: false };
}

/** Whether a message that a model reads is a hand-back. A realtime model has such notes in brackets among the caller's words. */
export function isHandBack({ role, content }: { readonly role: string; readonly content: string }): boolean {
  return (role === "system" && content.startsWith(note)) || (role === "user" && content.startsWith(`[${note}`));
}
