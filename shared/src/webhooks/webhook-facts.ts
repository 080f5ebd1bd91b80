/** What happens to calls and conversations that others may want to know, recognised by the writes that make it so. Pure. */
import { createHash } from "node:crypto";
import { ownerMark } from "../auth/owner-mark.ts";
import { isEnded } from "../calls/call-transitions.ts";
import type { CallOperation } from "../state/ports/call-operations.ts";
import type { CallRecord } from "../state/ports/call-store.ts";
import type { SessionRecord } from "../state/ports/session-store.ts";
import type { WebhookFact } from "../state/work/webhook-deliveries.ts";

type NamedCall = Pick<CallRecord, "callId" | "sessionId" | "owner">;

/** Whether anybody has answered decides between an end and a failure. Undefined for a call that goes on. */
export function endOfCall(
  call: Pick<CallRecord, "status" | "connectedAtMs">,
): "call.ended" | "call.failed" | undefined {
  if (!isEnded(call.status)) return undefined;
  return call.connectedAtMs === undefined ? "call.failed" : "call.ended";
}

/** Undefined for a call that goes on. */
export function callFact(call: NamedCall & Pick<CallRecord, "status" | "connectedAtMs">): WebhookFact | undefined {
  const type = endOfCall(call);
  if (type === undefined) return undefined;
  const { callId, sessionId } = call;
  return { id: idOf(type, callId), type, subject: callId, sessionId, ownerMark: ownerMark(call) };
}

const transfer = /^transfer:/;

export function isTransfer({ operationContext }: CallOperation): boolean {
  return transfer.test(operationContext);
}

export function handoverFact(call: NamedCall, { operationContext }: CallOperation): WebhookFact {
  const type = "call.handed_over";
  const { callId, sessionId } = call;
  const id = idOf(type, callId, operationContext);
  return { id, type, subject: callId, sessionId, ownerMark: ownerMark(call), operation: operationContext };
}

/**
 * A conversation that is resumed ends again; if nobody said anything in between, that is the same end. One that began
 * under an id that was used before is another one. `session.noted`: what came of that end was noted.
 */
export function sessionFact(session: SessionRecord, type: WebhookFact["type"] = "session.ended"): WebhookFact {
  const { sessionId, createdAtMs, turnCount = 0 } = session;
  const id = idOf(type, sessionId, String(createdAtMs), String(turnCount));
  return { id, type, subject: sessionId, sessionId, ownerMark: ownerMark(session) };
}

function idOf(...parts: readonly string[]): string {
  return `evt_${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)}`;
}
