/**
 * The conversation that a call carries or carried. A call is remembered for longer than its session, whose id may then be
 * somebody else's (ACCESS-20).
 */
import type { CallRecord } from "../state/ports/call-store.ts";
import type { SessionRecord, SessionStore } from "../state/ports/session-store.ts";

/** The end may have been told by the communication service, whose clock is another one. */
const toleranceMs = 60_000;

/** Undefined where it has expired, and where there never was one. */
export async function conversationOf(
  { sessionId, endedAtMs = Number.POSITIVE_INFINITY }: Pick<CallRecord, "sessionId" | "endedAtMs">,
  sessions: Pick<SessionStore, "get">,
): Promise<SessionRecord | undefined> {
  const found = await sessions.get(sessionId);
  return typeof found !== "string" && found.createdAtMs <= endedAtMs + toleranceMs ? found : undefined;
}
