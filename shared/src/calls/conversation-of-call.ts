/**
 * The conversation that a call carries or carried. A call is remembered for longer than its session, whose id may then be
 * somebody else's (ACCESS-20).
 */
import type { CallRecord } from "../state/ports/call-store.ts";
import type { SessionRecord, SessionStore } from "../state/ports/session-store.ts";

/** The end may have been reported by the communication service, whose clock differs. */
const toleranceMs = 60_000;

/** Undefined if it has expired, or if there never was one. */
export async function conversationOf(
  { sessionId, endedAtMs = Number.POSITIVE_INFINITY }: Pick<CallRecord, "sessionId" | "endedAtMs">,
  sessions: Pick<SessionStore, "get">,
): Promise<SessionRecord | undefined> {
  const found = await sessions.get(sessionId);
  return typeof found !== "string" && found.createdAtMs <= endedAtMs + toleranceMs ? found : undefined;
}
