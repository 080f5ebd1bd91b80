/**
 * END-8: ends the conversation of a call that is over. Normally the host that carries the conversation sees its socket
 * close and ends it; if that host has died and the caller hung up before another one had the audio, only the host that
 * handles the call's last event can do so.
 */
import { VoiceError } from "@voice/shared/platform/errors";
import { pause } from "@voice/shared/platform/pause";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { SessionStore } from "@voice/shared/state/ports/session-store";
import { updateSession } from "@voice/shared/state/update-session";
import { endedByLostHost, hostLost } from "../../session/conversation/ended-by-lost-host.ts";
import type { CallLedger } from "../call-ledger.ts";
import type { CallParts } from "../call-parts.ts";

/**
 * A living host has written its last changes within milliseconds; one whose store was unreachable tries again every 5
 * s.
 */
const graceMs = 10_000;
const pollMs = 500;

/** Rejects if `signal` is aborted before the outcome is known, so that the event goes to another host. */
export async function endAbandonedConversation(
  call: CallRecord,
  { host, ledger }: CallParts,
  signal?: AbortSignal,
): Promise<void> {
  const deadlineMs = host.clock.now() + graceMs;
  while (await isGoingOn(host.state.sessions, call.sessionId)) {
    if (host.clock.now() >= deadlineMs) return end(call, host.state.sessions, ledger);
    if (signal?.aborted === true)
      throw new VoiceError("dependency_not_ready", "this host is leaving before it knows how a conversation ended");
    await pause(host.clock, pollMs);
  }
}

/**
 * Stores the reason first: if this host dies, the next one to get the event finds an open session and does the rest.
 */
async function end(call: CallRecord, sessions: SessionStore, ledger: CallLedger): Promise<void> {
  await ledger.concludeConversation(call, hostLost);
  // If the session was deleted meanwhile, this rejects; when the event is repeated, there is nothing left to do.
  await updateSession(call.sessionId, sessions, (session) =>
    session.status === "ended" ? undefined : endedByLostHost(session),
  );
}

async function isGoingOn(sessions: SessionStore, sessionId: string): Promise<boolean> {
  const session = await sessions.get(sessionId);
  return typeof session !== "string" && session.status === "active";
}
