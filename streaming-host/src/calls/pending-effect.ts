/** What was begun with a call and is not decided yet; a host that takes the call over has to see it to its end. */
import type { CallStore } from "@voice/shared/state/ports/call-store";
import type { HostEffect } from "../session/host-effects.ts";
import { outcomeIn, transferEvents } from "./awaited-outcome.ts";

export const transferRequestedType = "transfer.requested";
export const transferFailedType = "transfer.failed";

export async function pendingEffect(calls: CallStore, callConnectionId: string): Promise<HostEffect | undefined> {
  const call = await calls.getByConnection(callConnectionId);
  if (call?.status === "on_hold") return { type: "await-resumption" };
  if (call?.status !== "connected") return undefined;
  const log = await calls.events(call.callId);
  const operationContext = log.findLast(({ type }) => type === transferRequestedType)?.eventId;
  if (operationContext === undefined) return undefined;
  const isDecided = log.some(({ eventId }) => eventId === `${operationContext}:failed`);
  const outcome = outcomeIn(log, { operationContext, events: transferEvents });
  // A failure that nobody has written down is one that nobody has told the caller either.
  return isDecided || outcome?.ok === true ? undefined : { type: "await-transfer", operationContext };
}
