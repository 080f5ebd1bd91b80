/**
 * One transfer at a time, begun once, on whatever host: the call's record says which transfer was begun last, and the
 * service recognises a request that comes again. A host that finds its own transfer under way waits for the same outcome
 * as the host that began it.
 */
import { createUuid } from "@voice/shared/platform/ids";
import type { CallOperation, CallOperations, OperationOutcome } from "@voice/shared/state/ports/call-operations";
import type { CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import type { EffectOutcome } from "../session/conversation/host-effects.ts";
import type { CallLedger } from "./call-ledger.ts";
import { restoreCall } from "./restore-call.ts";
import type { RestoreDependencies } from "./restore-call.ts";

export interface TransferDependencies extends RestoreDependencies {
  readonly calls: CallStore;
  readonly operations: CallOperations;
  readonly ledger: CallLedger;
  readonly destinations: ReadonlyMap<string, string>;
  /** How long the other end may ring. */
  readonly transferTimeoutMs: number;
}

export interface WantedTransfer {
  /** The same for the same wish, on every host. */
  readonly id?: string | undefined;
  readonly target: string;
  readonly reason: string;
}

export async function transferCall(
  call: CallRecord,
  { id = createUuid(), target: wanted, reason }: WantedTransfer,
  dependencies: TransferDependencies,
): Promise<EffectOutcome> {
  const { operations, ledger, automation, destinations, settings, transferTimeoutMs } = dependencies;
  const { callId, callConnectionId, sessionId } = call;
  // A name stands for a place in the settings; anything else has to be an address itself.
  const target = destinations.get(wanted) ?? (/^[a-z][a-z0-9-]*$/.test(wanted) ? undefined : wanted);
  if (target === undefined) return { ok: false, reason: "nobody is available there" };
  if (callConnectionId === undefined) return { ok: false, reason: "the call is not connected" };

  const operation = transferOf(callId, id);
  const known = await operations.find(operation);
  if (known !== undefined) return known;
  const firstSentAtMs = await begin(call, id, dependencies);
  if (firstSentAtMs === undefined)
    return { ok: false, reason: "the call is being transferred already", isUnderWay: true };
  const { operationContext } = operation;
  await ledger.note(callId, operationContext, { type: "transfer.requested", details: {} });
  try {
    await automation.transfer({
      repetition: { id: operationContext, firstSentAtMs },
      callConnectionId,
      target,
      // What the other end's telephone shows. Our own number: a caller's may not be presented by us.
      callerNumber: settings.commPhoneNumber,
      operationContext,
      // By the session's id whoever takes the call finds what was said so far.
      context: { Reason: reason, "Session-Id": sessionId },
    });
  } catch (error) {
    const fault = { ok: false, reason: "a fault in the telephone service" } as const;
    await conclude(operation, await operations.settle(operation, fault), ledger);
    throw error;
  }
  const outcome =
    (await operations.outcome(operation, { timeoutMs: transferTimeoutMs })) ??
    // The service may say how it went at this very moment: the first word stands.
    (await operations.settle(operation, { ok: false, reason: "no answer" }));
  const concluded = await conclude(operation, outcome, ledger);
  if (concluded.ok || (await restoreCall(call, dependencies))) return concluded;
  return { ok: false, reason: "the call is over" };
}

function transferOf(callId: string, id: string): CallOperation {
  return { callId, operationContext: `transfer:${id}` };
}

/** When it was begun first; undefined while another transfer of this call is under way, or has succeeded. */
async function begin(
  call: CallRecord,
  id: string,
  { calls, operations, ledger }: Pick<TransferDependencies, "calls" | "operations" | "ledger">,
): Promise<number | undefined> {
  const { transferId: before, transferBegunAtMs } = (await calls.get(call.callId)) ?? call;
  if (before === id) return transferBegunAtMs;
  if (before !== undefined && (await operations.find(transferOf(call.callId, before)))?.ok !== false) return undefined;
  const begun = await ledger.beginTransfer(call, { id, after: before });
  return begun.transferId === id ? begun.transferBegunAtMs : undefined;
}

async function conclude(
  { callId, operationContext }: CallOperation,
  outcome: OperationOutcome,
  ledger: CallLedger,
): Promise<OperationOutcome> {
  if (!outcome.ok) {
    const { reason } = outcome;
    await ledger.note(callId, `${operationContext}:failed`, { type: "transfer.failed", details: { reason } });
  }
  return outcome;
}
