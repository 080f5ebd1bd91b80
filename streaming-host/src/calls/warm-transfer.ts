/**
 * EFFECT-11: the caller hears music while somebody else is called into the call and told who it is; then the caller is
 * back, and we leave the two alone. Any host may go on with it: every step is asked of the service as the same wish again.
 */
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { Settings } from "@voice/shared/config/settings";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { OperationOutcome } from "@voice/shared/state/ports/call-operations";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { Announcer } from "./announcer.ts";
import { farEndOf, hearsMusic, isFarEndThere } from "./far-end.ts";
import { giveBack, resumeCall } from "./hold-call.ts";
import type { HoldDependencies } from "./hold-call.ts";

/** Told when the caller hears music instead of us, and when that is over. */
export type OnHold = (isHeld: boolean) => void;

export interface WarmTransferDependencies extends HoldDependencies {
  readonly announcer: Announcer;
  readonly settings: Settings;
  /** How long the other end may ring. */
  readonly transferTimeoutMs: number;
}

export interface Transfer {
  readonly id: string;
  readonly call: CallRecord;
  readonly callConnectionId: string;
  /** An address. */
  readonly target: string;
  readonly reason: string;
  readonly introduction: string | undefined;
  readonly firstSentAtMs: number;
}

/** By the session's id whoever takes the call finds what was said so far. */
export function toldAbout({ sessionId }: CallRecord, reason: string): Readonly<Record<string, string>> {
  return { Reason: reason, "Session-Id": sessionId };
}

/** Longer than any introduction: until then nobody else gives the caller back. */
const introductionMs = 45_000;
/** The service says that nobody has answered, soon after the time is over. */
const lateMs = 3000;

/** Undefined where the service cannot do it: the caller is back, and the transfer may be tried in another way. */
export async function transferWarmly(
  transfer: Transfer,
  dependencies: WarmTransferDependencies,
  onHold: OnHold,
): Promise<OperationOutcome | undefined> {
  const { call } = transfer;
  const caller = farEndOf(call);
  if (caller === undefined) return undefined;
  const { ledger, clock, transferTimeoutMs } = dependencies;
  // Before the music: whoever is on hold must be given back, also by a host that knows only the record.
  const held = await ledger.hold(call, clock.wallNow() + transferTimeoutMs + introductionMs);
  onHold(true);
  try {
    const outcome = await consult(transfer, caller, dependencies);
    if (outcome?.ok !== true) await giveBack(held, dependencies);
    return outcome;
  } catch (error) {
    await giveBack(held, dependencies);
    throw error;
  } finally {
    onHold(false);
  }
}

async function consult(
  transfer: Transfer,
  caller: string,
  dependencies: WarmTransferDependencies,
): Promise<OperationOutcome | undefined> {
  if (!(await invite(transfer, caller, dependencies))) return undefined;
  const outcome = await awaitAnswer(transfer, dependencies);
  return outcome.ok ? introduce(transfer, dependencies) : outcome;
}

/** False where the service refuses, and would refuse again. */
async function invite(
  { id, call, callConnectionId, target, reason, firstSentAtMs }: Transfer,
  caller: string,
  { automation, holdAudioUrl: audioUrl, settings, transferTimeoutMs, logger }: WarmTransferDependencies,
): Promise<boolean> {
  try {
    // Another host may have asked for it, and the service may refuse it to whoever is on hold.
    if (!hearsMusic(call))
      await automation.hold({ callConnectionId, to: caller, operationContext: `hold:${id}`, audioUrl });
    await automation.addParticipant({
      repetition: { id: `invite:${id}`, firstSentAtMs },
      callConnectionId,
      target,
      callerNumber: settings.commPhoneNumber,
      timeoutMs: transferTimeoutMs,
      operationContext: `invite:${id}`,
      context: toldAbout(call, reason),
    });
    return true;
  } catch (error) {
    const { code } = toVoiceError(error);
    if (code === "call_not_found") throw error;
    logger.warn({ error, callId: call.callId, code }, "nobody could be called into a call, and it is sent to them");
    return false;
  }
}

async function awaitAnswer(
  { id, call: { callId } }: Transfer,
  { operations, ledger, transferTimeoutMs }: WarmTransferDependencies,
): Promise<OperationOutcome> {
  const invitation = { callId, operationContext: `invite:${id}` };
  const outcome =
    (await operations.outcome(invitation, { timeoutMs: transferTimeoutMs + lateMs })) ??
    (await operations.settle(invitation, { ok: false, reason: "no answer" }));
  const call = await ledger.get(callId);
  return call === undefined || isEnded(call.status) ? { ok: false, reason: "the call is over" } : outcome;
}

/** Somebody has answered: they hear who it is, the caller is back, and we leave. */
async function introduce(transfer: Transfer, dependencies: WarmTransferDependencies): Promise<OperationOutcome> {
  const { ledger, automation, announcer } = dependencies;
  const { id, call, callConnectionId, target, firstSentAtMs } = transfer;
  const wasHeard = await announcer.say(call, {
    id: `introduction:${id}`,
    text: introductionOf(transfer),
    to: target,
    isFixed: false,
  });
  const now = await ledger.get(call.callId);
  if (now === undefined || !isFarEndThere(now)) {
    // Who is left has nobody to talk with.
    const repetition = { id: `hang-up:${call.callId}`, firstSentAtMs };
    await automation.hangUp({ repetition, callConnectionId });
    return { ok: false, reason: "the call is over" };
  }
  // Whoever has hung up in the middle of the introduction: the caller would be left to nobody.
  if (!wasHeard && !isAnybodyElseThere(now)) return { ok: false, reason: "they hung up" };
  await resumeCall(now, dependencies);
  await automation.leave({ repetition: { id: `leave:${id}`, firstSentAtMs }, callConnectionId });
  return { ok: true };
}

function introductionOf({ introduction, reason }: Transfer): string {
  return `Hello. ${asSentence(introduction ?? `I have a caller for you. The reason is: ${reason}`)} I am putting you through now.`;
}

function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** By the service's own list of who is in the call, where it has sent one. */
function isAnybodyElseThere({ participants }: CallRecord): boolean {
  return participants.length === 0 || participants.some(({ role }) => role === "participant");
}
