/**
 * EFFECT-14: when a warm transfer gives up, the phone that it rings falls silent, and a person who has picked up all the
 * same is removed from the call. Any host can repeat it, because every step is the same request to the service.
 */
import { noAnswer } from "@voice/shared/calls/failure-reason";
import { addressOfParty, partyOfText } from "@voice/shared/calls/party";
import type { CallReport } from "@voice/shared/contracts/calls/call-report";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { OperationOutcome } from "@voice/shared/state/ports/call-operations";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { CallParts } from "../call-parts.ts";
import { ifStoreReachable } from "../if-store-reachable.ts";

export interface Invitation {
  /** The transfer's. */
  readonly id: string;
  readonly call: CallRecord;
  readonly callConnectionId: string;
  /** An address. */
  readonly target: string;
  readonly firstSentAtMs: number;
  readonly invitationId: string | undefined;
}

/** How long the service may take to report whether it has cancelled an invitation or removed somebody. */
const reportedWithinMs = 2000;

/**
 * How the invitation ended: a person who picks up before it is cancelled has answered. Once it is stored that nobody
 * did, a later report of an answer leads to `removeLatecomer`, so that this host may die at any point.
 */
export async function giveUp(invitation: Invitation, parts: CallParts): Promise<OperationOutcome> {
  const { host, automation } = parts;
  const { id, call, callConnectionId, firstSentAtMs, invitationId } = invitation;
  const operationContext = `invite:${id}`;
  const operation = { callId: call.callId, operationContext };
  if (invitationId !== undefined)
    await attempt("cancel an invitation", call, parts, () =>
      automation.cancelInvitation({
        repetition: { id: `cancel:${id}`, firstSentAtMs },
        callConnectionId,
        invitationId,
        operationContext,
      }),
    );
  const reported = await host.state.callOperations.outcome(operation, { timeoutMs: reportedWithinMs });
  if (reported !== undefined) return reported;
  const settled = await host.state.callOperations.settle(operation, { ok: false, reason: noAnswer.reason });
  if (!settled.ok) await remove(invitation, parts);
  return settled;
}

/** The transfer breaks off, so a person who has answered is removed as well. */
export async function leaveNobodyBehind(invitation: Invitation, parts: CallParts): Promise<void> {
  const outcome = await ifStoreReachable(() => giveUp(invitation, parts));
  if (outcome?.ok !== false) await remove(invitation, parts);
}

/** Resolves when they are gone. The service refuses it harmlessly where they never joined. */
export async function remove(
  { id, call, callConnectionId, target, firstSentAtMs }: Invitation,
  parts: CallParts,
): Promise<void> {
  const { host, automation } = parts;
  const operationContext = `remove:${id}`;
  const repetition = { id: operationContext, firstSentAtMs };
  const isAccepted = await attempt("remove a participant", call, parts, () =>
    automation.removeParticipant({ repetition, callConnectionId, target, operationContext }),
  );
  if (isAccepted)
    await host.state.callOperations.outcome({ callId: call.callId, operationContext }, { timeoutMs: reportedWithinMs });
}

/** Removes somebody who, according to a late report, has joined after the transfer was given up. */
export async function removeLatecomer(
  { callId, callConnectionId, transferBegunAtMs, createdAtMs }: CallRecord,
  { operationContext: invited, participant = {} }: CallReport,
  { host, automation }: CallParts,
): Promise<void> {
  const target = participant.number ?? addressOfParty(partyOfText(participant.rawId ?? ""));
  if (invited === undefined || callConnectionId === undefined || target === undefined) return;
  if ((await host.state.callOperations.find({ callId, operationContext: invited }))?.ok !== false) return;
  const operationContext = `remove-late:${invited}`;
  const repetition = { id: operationContext, firstSentAtMs: transferBegunAtMs ?? createdAtMs };
  try {
    await automation.removeParticipant({ repetition, callConnectionId, target, operationContext });
  } catch (error) {
    const { code, retryable } = toVoiceError(error);
    // The event bus tries again, on any host.
    if (retryable) throw error;
    host.logger.warn({ error, callId, code }, "the service did not remove somebody who joined a call too late");
  }
}

/** False if the service did not accept it. Never rejects: the caller is taken back all the same. */
async function attempt(
  what: string,
  { callId }: CallRecord,
  { host }: CallParts,
  request: () => Promise<void>,
): Promise<boolean> {
  try {
    await request();
    return true;
  } catch (error) {
    const { code } = toVoiceError(error);
    host.logger.warn({ error, callId, code, what }, "the service did not accept a step of giving up a transfer");
    return false;
  }
}
