/**
 * One transfer at a time, begun once, on whatever host: the call's log says whose turn it is, and the service recognises
 * a request that comes again. A host that finds a transfer under way waits for the same outcome as the one that began it.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { createUuid } from "@voice/shared/platform/ids";
import type { CallLogEntry, CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import type { CallAutomation } from "../providers/ports/call-automation.ts";
import type { EffectOutcome } from "../session/host-effects.ts";
import type { CallLedger } from "./call-ledger.ts";
import { awaitOutcome, outcomeIn, transferEvents } from "./awaited-outcome.ts";

export interface TransferDependencies {
  readonly calls: CallStore;
  readonly ledger: CallLedger;
  readonly automation: CallAutomation;
  readonly destinations: ReadonlyMap<string, string>;
  readonly clock: Clock;
  /** How long the other end may ring. */
  readonly transferTimeoutMs: number;
}

export interface WantedTransfer {
  /** The same for the same wish, on every host. */
  readonly id?: string | undefined;
  readonly target: string;
  readonly reason: string;
}

const requestedType = "transfer.requested";
const failedType = "transfer.failed";

export async function transferCall(
  { callId, callConnectionId, sessionId }: CallRecord,
  { id = createUuid(), target: wanted, reason }: WantedTransfer,
  { calls, ledger, automation, destinations, clock, transferTimeoutMs }: TransferDependencies,
): Promise<EffectOutcome> {
  // A name stands for a place in the settings; anything else has to be an address itself.
  const target = destinations.get(wanted) ?? (/^[a-z][a-z0-9-]*$/.test(wanted) ? undefined : wanted);
  if (target === undefined) return { ok: false, reason: "nobody is available there" };
  if (callConnectionId === undefined) return { ok: false, reason: "the call is not connected" };
  const log = await calls.events(callId);
  const begun = log.find(({ type, details }) => type === requestedType && details["effect"] === id);
  const operationContext = begun?.eventId ?? `transfer:${callId}:${countFailed(log)}`;
  const failed = log.find(({ eventId }) => eventId === failureId(operationContext));
  if (failed !== undefined) return { ok: false, reason: String(failed.details["reason"]) };
  if (begun === undefined && !(await ledger.note(callId, operationContext, requestedType, { effect: id })))
    return { ok: false, reason: "the call is being transferred already", isUnderWay: true };

  const fail = async (why: string): Promise<void> => {
    await ledger.note(callId, failureId(operationContext), failedType, { reason: why });
  };
  try {
    if (outcomeIn(log, { operationContext, events: transferEvents }) === undefined)
      await automation.transfer({
        requestId: operationContext,
        callConnectionId,
        target,
        operationContext,
        // By the session's id whoever takes the call finds what was said so far.
        context: { Reason: reason, "Session-Id": sessionId },
      });
  } catch (error) {
    await fail("a fault in the telephone service");
    throw error;
  }
  const outcome = await awaitOutcome(calls, clock, {
    callId,
    operationContext,
    events: transferEvents,
    boundMs: transferTimeoutMs,
    otherwise: { ok: false, reason: "no answer" },
  });
  if (!outcome.ok) await fail(outcome.reason);
  return outcome;
}

function countFailed(log: readonly CallLogEntry[]): number {
  return log.filter(({ type }) => type === failedType).length;
}

function failureId(operationContext: string): string {
  return `${operationContext}:failed`;
}
