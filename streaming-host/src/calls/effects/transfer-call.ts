/**
 * Carries out one transfer at a time, begun once, on any host: the call's record names the transfer that was begun
 * last, and the service recognises a repeated request. A host that finds its own transfer in progress waits for the
 * same outcome as the host that began it.
 */
import { partyOfText } from "@voice/shared/calls/party";
import { addressOf, isDestination } from "@voice/shared/config/destinations";
import { createUuid } from "@voice/shared/platform/ids";
import { pause } from "@voice/shared/platform/pause";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { CallOperation, OperationOutcome } from "@voice/shared/state/ports/call-operations";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { EffectOutcome } from "../../session/conversation/host-effects.ts";
import type { CallLedger } from "../call-ledger.ts";
import type { Settings } from "@voice/shared/config/settings";
import type { CallParts } from "../call-parts.ts";
import { ifStoreReachable } from "../if-store-reachable.ts";
import { awaitOutcome, repeatUntilKnown } from "./service-operation.ts";
import { transferContext, transferWarmly } from "./warm-transfer.ts";
import type { Transfer, TransferEars } from "./warm-transfer.ts";
import { streamOf } from "../begin/media-address.ts";

/** The pause before an operation's outcome is looked up again: longer than a host's lease on a stream. */
const askAgainMs = 3000;

interface TransferRequest {
  /** The same on every host for the same request. */
  readonly id?: string | undefined;
  readonly target: string;
  readonly reason: string;
  /** What the person who takes the call is told before the caller joins. */
  readonly introduction?: string | undefined;
}

export async function carryOutTransfer(
  call: CallRecord,
  { id = createUuid(), target: wanted, reason, introduction }: TransferRequest,
  parts: CallParts,
  ears: TransferEars = { onHold: () => undefined },
): Promise<EffectOutcome> {
  const { host, ledger } = parts;
  const { callId, callConnectionId } = call;
  const target = addressOf(wanted, host.settings.commDestinations);
  if (target === undefined) return { ok: false, reason: "nobody is available there" };
  if (!(await mayBeCalled(target, host.settings))) return { ok: false, reason: "that number may not be called" };
  if (callConnectionId === undefined) return { ok: false, reason: "the call is not connected" };

  const operation = transferOf(callId, id);
  const known = await host.state.callOperations.find(operation);
  if (known !== undefined) return known;
  const firstSentAtMs = await begin(call, id, parts);
  if (firstSentAtMs === undefined)
    return { ok: false, reason: "the call is being transferred already", isUnderWay: true };
  await ledger.logEvent(callId, operation.operationContext, { type: "transfer.requested", details: {} });
  const transfer = { id, call, callConnectionId, target, reason, introduction, firstSentAtMs };
  const warm =
    host.settings.commTransfers === "warm"
      ? await endIfBroken(operation, parts, () => transferWarmly(transfer, parts, ears))
      : undefined;
  if (warm !== undefined) {
    const settled = await host.state.callOperations.settle(operation, warm);
    return conclude(operation, settled, ledger);
  }
  const concluded = await conclude(operation, await transferBlindly(transfer, operation, parts), ledger);
  if (concluded.ok || (await restoreCall(call, parts))) return concluded;
  return { ok: false, reason: "the call is over" };
}

/** What the settings name is trusted; any other number is judged like one that a client wants to be called (PLACE-4). */
async function mayBeCalled(target: string, settings: Settings): Promise<boolean> {
  if (isDestination(target, settings.commDestinations)) return true;
  // Short numbers such as +911 are no numbers of anybody, and yet they ring.
  const number = target.startsWith("+") ? target : partyOfText(target).number;
  if (number === undefined) return !target.startsWith("4:");
  const { whyNotCallable } = await import("@voice/shared/calls/callable");
  return whyNotCallable(number, settings) === undefined;
}

/** Asks the service to transfer the call and waits for the outcome. */
async function transferBlindly(
  { call, callConnectionId, target, reason, firstSentAtMs }: Transfer,
  operation: CallOperation,
  parts: CallParts,
): Promise<OperationOutcome> {
  const { host, automation } = parts;
  const { operationContext } = operation;
  // A host that takes over does not let it ring from the beginning.
  const { atMs } = (await ifStoreReachable(() => host.state.callOperations.begin(operation))) ?? {
    atMs: host.clock.wallNow(),
  };
  const untilMs = atMs + host.settings.commCallTimeoutMs;
  const request = {
    repetition: { id: operationContext, firstSentAtMs },
    callConnectionId,
    target,
    // The number that the other end's telephone shows. It is our own, because we may not present a caller's.
    callerNumber: host.settings.commPhoneNumber,
    operationContext,
    context: transferContext(call, reason),
  };
  await endIfBroken(operation, parts, () =>
    repeatUntilKnown(operation, () => automation.transfer(request), untilMs, parts),
  );
  return (
    (await awaitOutcome(operation, { untilMs, look: () => hasLeftUs(call, callConnectionId, parts) }, parts)) ??
    // The service may report the outcome at this very moment; the first report stands.
    (await host.state.callOperations.settle(operation, { ok: false, reason: "no answer" }))
  );
}

/** The call is no longer ours, and the service has not said whether the other side took it. */
const unreported: OperationOutcome = {
  ok: false,
  reason: "the call has left us, and whether somebody took it was not reported",
};

/** Twice in a row, because the service has denied calls that went on; a stream that a host has outweighs it (LOST-4). */
async function hasLeftUs(
  { callId }: CallRecord,
  callConnectionId: string,
  { host, automation }: CallParts,
): Promise<OperationOutcome | undefined> {
  if ((await host.state.calls.get(callId))?.endedByService === true) return unreported;
  const isGone = async (): Promise<boolean> =>
    (await automation.stateOf(callConnectionId)) === "gone" &&
    (await host.state.callStreams.holderOf(callId)) === undefined;
  if (!(await isGone())) return undefined;
  await pause(host.clock, askAgainMs);
  return (await isGone()) ? unreported : undefined;
}

/** A transfer that breaks off is over; otherwise no other one could begin in this call. */
async function endIfBroken<T>(
  operation: CallOperation,
  { host, ledger }: CallParts,
  carryOut: () => Promise<T>,
): Promise<T> {
  try {
    return await carryOut();
  } catch (error) {
    const fault = { ok: false, reason: "a fault in the telephone service" } as const;
    await conclude(operation, await host.state.callOperations.settle(operation, fault), ledger);
    throw error;
  }
}

function transferOf(callId: string, id: string): CallOperation {
  return { callId, operationContext: `transfer:${id}` };
}

/** When it was first begun; undefined if another transfer of this call is in progress or has succeeded. */
async function begin(call: CallRecord, id: string, { host, ledger }: CallParts): Promise<number | undefined> {
  const { transferId: before, transferBegunAtMs } = (await host.state.calls.get(call.callId)) ?? call;
  if (before === id) return transferBegunAtMs;
  if (before !== undefined && (await host.state.callOperations.find(transferOf(call.callId, before)))?.ok !== false)
    return undefined;
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
    await ledger.logEvent(callId, `${operationContext}:failed`, { type: "transfer.failed", details: { reason } });
  }
  return outcome;
}

const askEveryMs = 500;
/** The caller hears nothing meanwhile. */
const maxQuestions = 6;

/**
 * After a failed transfer, the service needs a moment until the call is established again, and may not restore its stream by itself. The
 * agent speaks once both are there. False if the call is over. Never rejects: if the state cannot be found out, the caller is spoken to.
 */
async function restoreCall(call: CallRecord, parts: CallParts): Promise<boolean> {
  const { host } = parts;
  return (
    (await warnIfItFails(
      host.logger,
      { callId: call.callId },
      "a call could not be looked after when its transfer had failed",
      () => restore(call, parts),
    )) ?? true
  );
}

async function restore(call: CallRecord, parts: CallParts): Promise<boolean> {
  const { host, automation } = parts;
  const { callId, callConnectionId } = call;
  if (callConnectionId === undefined) return false;
  for (let question = 1; question <= maxQuestions; question++) {
    const state = await automation.stateOf(callConnectionId);
    // The service has said so of calls whose audio arrived.
    if (state === "gone") return (await host.state.callStreams.holderOf(callId)) !== undefined;
    if (state === "connected") break;
    await pause(host.clock, askEveryMs);
  }
  if ((await host.state.callStreams.holderOf(callId)) === undefined)
    await automation.startStream(callConnectionId, streamOf(call, host.settings).kind);
  return true;
}
