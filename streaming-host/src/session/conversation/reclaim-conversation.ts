/**
 * HS-12: what has become of a conversation while its host could not be reached, and others may have taken that for dead. The
 * commands that end a conversation may not have reached the host either.
 */
import type { SessionStore } from "@voice/shared/state/ports/session-store";
import type { Conversation } from "./conversation.ts";
import { hostLost } from "./ended-by-lost-host.ts";
import { isTakenFrom } from "./stored-conversation.ts";

/** `restored`: it was ended in the belief that its host was dead, and is active again. */
export type Reclaimed = "ours" | "restored" | "taken over" | "reset" | "deleted";

export async function reclaimConversation(
  conversation: Conversation,
  sessions: Pick<SessionStore, "get">,
): Promise<Reclaimed> {
  await conversation.flush();
  const stored = await sessions.get(conversation.sessionId);
  // A store that has lost its data gets the conversation back with its next words.
  if (conversation.hasEnded || stored === "unknown") return "ours";
  if (stored === "expired") return "deleted";
  if (isTakenFrom(conversation.record, stored)) return "taken over";
  if (stored.status === "active") return "ours";
  if (stored.endReason !== hostLost) return "reset";
  conversation.goOn();
  await conversation.flush();
  return "restored";
}
