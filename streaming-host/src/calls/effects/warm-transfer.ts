/**
 * EFFECT-11: the caller hears music while a third person is called into the call and told who is calling; then the
 * caller is taken off hold, and we leave the two alone. Any host can continue it, because every step repeats the same
 * request to the service.
 */
import { isEnded } from "@voice/shared/calls/call-transitions";
import { isSameParty, partyOfText } from "@voice/shared/calls/party";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import { pause } from "@voice/shared/platform/pause";
import type { OperationOutcome } from "@voice/shared/state/ports/call-operations";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import { packOf } from "@voice/shared/languages/packs";
import type { ListenToTarget, TargetWatch } from "../../session/voicemail/target-ear.ts";
import type { CallParts } from "../call-parts.ts";
import { hangUpCall } from "../end/end-call.ts";
import { followUpMs } from "../report-times.ts";
import { ifStoreReachable } from "../if-store-reachable.ts";
import { farEndOf, hearsMusic, isFarEndThere } from "./far-end.ts";
import { beginMusic, giveBack, resumeCall } from "./hold-call.ts";
import { giveUp, leaveNobodyBehind, remove } from "./give-up-invitation.ts";
import type { Invitation } from "./give-up-invitation.ts";
import { awaitOutcome, repeatUntilKnown } from "./service-operation.ts";

/** How the host that has the call's audio listens during a transfer. */
export interface TransferEars {
  /** Called when the caller begins to hear music instead of us, and when that is over. */
  readonly onHold: (isHeld: boolean) => void;
  /** EFFECT-16. Absent: this host does not hear who takes the call. */
  readonly listenToTarget?: ListenToTarget | undefined;
}

export interface Transfer extends Omit<Invitation, "invitationId"> {
  readonly reason: string;
  readonly introduction: string | undefined;
}

/** What the person who takes the call is shown. The session's id leads them to what was said so far. */
export function transferContext({ sessionId }: CallRecord, reason: string): Readonly<Record<string, string>> {
  return { Reason: reason, "Session-Id": sessionId };
}

/** Longer than any introduction and what follows it, so that no other host takes the caller back before its end. */
const introductionMs = 60_000;
/** The service reports that nobody has answered soon after the ringing time is over. */
const lateMs = 3000;
/** Whoever still talks this long after the introduction may be a machine that has not revealed itself yet, or a queue. */
const greetingMs = 10_000;
/** How long somebody who has not made a sound yet may take to say something after the introduction, and again when they were asked to. */
const speaksWithinMs = 4000;
const lookEveryMs = 250;
/** How long the service is asked to let us leave, while both already talk. */
const leavingMs = 10_000;

/** Undefined if the service cannot do it: the caller is taken back, and the transfer may be tried in another way. */
export async function transferWarmly(
  transfer: Transfer,
  parts: CallParts,
  { onHold, listenToTarget }: TransferEars,
): Promise<OperationOutcome | undefined> {
  const { call } = transfer;
  const { host, ledger, automation } = parts;
  const caller = farEndOf(call);
  if (caller === undefined || !automation.canAddParticipants) return undefined;
  // Stored before the music, so that a host that knows only the record can also take the caller back.
  const held = await ledger.markOnHold(call, host.clock.wallNow() + host.settings.commCallTimeoutMs + introductionMs);
  onHold(true);
  try {
    const outcome = await consult(transfer, caller, parts, listenToTarget);
    if (outcome?.ok !== true) await giveBack(held, parts);
    return outcome;
  } catch (error) {
    await giveBack(held, parts);
    throw error;
  } finally {
    onHold(false);
  }
}

async function consult(
  transfer: Transfer,
  caller: string,
  parts: CallParts,
  listen: ListenToTarget | undefined,
): Promise<OperationOutcome | undefined> {
  const invitation = await invite(transfer, caller, parts);
  if (invitation === undefined) return undefined;
  try {
    const outcome = await awaitAnswer(invitation, parts);
    if (!outcome.ok) return outcome;
    const watch = listen?.();
    try {
      return await introduce({ ...transfer, ...invitation }, parts, watch);
    } finally {
      watch?.stop();
    }
  } catch (error) {
    await leaveNobodyBehind(invitation, parts);
    throw error;
  }
}

/** Undefined if the service refuses permanently. */
async function invite(transfer: Transfer, caller: string, parts: CallParts): Promise<Invitation | undefined> {
  const { host, automation } = parts;
  const { id, call, callConnectionId, target, reason, firstSentAtMs } = transfer;
  try {
    // Another host may have asked for it already, and the service may refuse music to a caller who is on hold.
    if (!hearsMusic(call)) {
      const operation = { callId: call.callId, operationContext: `hold:${id}` };
      const untilMs = ringsUntilMs(transfer, parts);
      if (!(await beginMusic(operation, { callConnectionId, to: caller, untilMs }, parts))) return undefined;
    }
    const request = {
      repetition: { id: `invite:${id}`, firstSentAtMs },
      callConnectionId,
      target,
      callerNumber: host.settings.commPhoneNumber,
      timeoutMs: host.settings.commCallTimeoutMs,
      operationContext: `invite:${id}`,
      context: transferContext(call, reason),
    };
    const invited = await repeatUntilKnown(
      { callId: call.callId, operationContext: request.operationContext },
      () => automation.addParticipant(request),
      ringsUntilMs(transfer, parts),
      parts,
    );
    return { ...transfer, invitationId: invited?.answer.invitationId };
  } catch (error) {
    const { code } = toVoiceError(error);
    if (code === "call_not_found") throw error;
    host.logger.warn(
      { error, callId: call.callId, code },
      "nobody could be called into a call, and it is sent to them",
    );
    return undefined;
  }
}

/** Counted from the first request, on whichever host. */
function ringsUntilMs({ firstSentAtMs }: Pick<Transfer, "firstSentAtMs">, { host }: CallParts): number {
  return firstSentAtMs + host.settings.commCallTimeoutMs;
}

async function awaitAnswer(invitation: Invitation, parts: CallParts): Promise<OperationOutcome> {
  const { host } = parts;
  const { callId } = invitation.call;
  const operation = { callId, operationContext: `invite:${invitation.id}` };
  const reportedByMs = ringsUntilMs(invitation, parts) + lateMs;
  const outcome =
    (await awaitOutcome(operation, { untilMs: reportedByMs, look: () => hasJoined(invitation, parts) }, parts)) ??
    (await giveUp(invitation, parts));
  const call = await host.state.calls.get(callId);
  return call === undefined || isEnded(call.status) ? { ok: false, reason: "the call is over" } : outcome;
}

/** The service lists them, so they have answered, whether or not that was reported. */
async function hasJoined(
  { callConnectionId, target }: Invitation,
  { automation }: CallParts,
): Promise<OperationOutcome | undefined> {
  const invited = partyOfText(target);
  const listed = await automation.participantsOf(callConnectionId);
  return listed.some(({ rawId }) => isSameParty(partyOfText(rawId), invited)) ? { ok: true } : undefined;
}

/** The person has answered: they hear who is calling, the caller is taken off hold, and we leave. */
async function introduce(
  transfer: Transfer & Invitation,
  parts: CallParts,
  watch: TargetWatch | undefined,
): Promise<OperationOutcome> {
  const { host, announcer, languageOf } = parts;
  const { id, call, target } = transfer;
  const [language, before] = await Promise.all([languageOf(call), host.state.calls.get(call.callId)]);
  const said = announcer.say(call, {
    id: `introduction:${id}`,
    text: introductionOf(transfer, language),
    language,
    to: target,
    isFixed: false,
  });
  const { areYouThere } = packOf(language).sentences.introduction;
  const ask = (): Promise<unknown> =>
    announcer.say(call, { id: `are-you-there:${id}`, text: areYouThere, language, to: target, isFixed: true });
  const taker = watch === undefined ? "not known" : await whoTookIt(said, ask, watch, parts);
  if (taker === "machine") {
    host.logger.info({ callId: call.callId, evidence: await watch?.found }, "a machine has answered a transfer");
    await remove(transfer, parts);
    return { ok: false, reason: "an answering machine took the call" };
  }
  const wasHeard = await said;
  const now = await host.state.calls.get(call.callId);
  if (now === undefined || !isFarEndThere(now)) {
    // The person who is left has nobody to talk with.
    await hangUpCall(now ?? call, "caller_left", parts);
    return { ok: false, reason: "the call is over" };
  }
  // The person hung up during the introduction, so the caller would be left alone.
  if (!isAnybodyElseThere(now) && (!wasHeard || isNewer(now, before))) return { ok: false, reason: "they hung up" };
  if (taker === "nobody") {
    host.logger.info({ callId: call.callId }, "whoever has answered a transfer made no sound");
    await remove(transfer, parts);
    return { ok: false, reason: "nobody spoke" };
  }
  await resumeCall(now, parts);
  // Ending the music may have taken long, and the caller must not be left alone.
  const after = await host.state.calls.get(call.callId);
  if (after !== undefined && !isAnybodyElseThere(after) && isNewer(after, now))
    return { ok: false, reason: "they hung up" };
  await leaveThem(transfer, parts);
  return { ok: true };
}

/**
 * Who listens to the introduction (EFFECT-16). That the service says that they answered is no proof of a person: they have to have made
 * a sound by its end, or when they are asked to (EFFECT-32).
 */
async function whoTookIt(
  introduction: Promise<unknown>,
  ask: () => Promise<unknown>,
  watch: TargetWatch,
  { host }: CallParts,
): Promise<"machine" | "person" | "nobody"> {
  const isHeardWithin = async (ms: number): Promise<boolean> => {
    for (let waitedMs = 0; !watch.hasSpoken && waitedMs < ms; waitedMs += lookEveryMs)
      await pause(host.clock, lookEveryMs);
    return watch.hasSpoken;
  };
  const heardOut = async (): Promise<"person" | "nobody"> => {
    await introduction;
    for (let waitedMs = 0; watch.goesOn && waitedMs < greetingMs; waitedMs += lookEveryMs)
      await pause(host.clock, lookEveryMs);
    if (await isHeardWithin(speaksWithinMs)) return "person";
    await ask();
    return (await isHeardWithin(speaksWithinMs)) ? "person" : "nobody";
  };
  return await Promise.race([watch.found.then(() => "machine" as const), heardOut()]);
}

async function leaveThem({ id, call, callConnectionId, firstSentAtMs }: Transfer, parts: CallParts): Promise<void> {
  const { host, automation } = parts;
  const operationContext = `leave:${id}`;
  const request = { repetition: { id: operationContext, firstSentAtMs }, callConnectionId };
  const left = await repeatUntilKnown(
    { callId: call.callId, operationContext },
    () => automation.leave(request),
    host.clock.wallNow() + leavingMs,
    parts,
  );
  // The end of the call is reported to us as well, and that may be lost.
  await ifStoreReachable(() => host.state.callChecks.set(call.callId, followUpMs));
  if (left === undefined && (await automation.stateOf(callConnectionId)) !== "gone")
    throw new VoiceError("upstream_unavailable", "the service does not say that we have left the call");
}

function introductionOf({ introduction, reason }: Transfer, language: string): string {
  const { greeting, caller, connecting } = packOf(language).sentences.introduction;
  return `${greeting} ${asSentence(introduction ?? `${caller} ${reason}`)} ${connecting}`;
}

function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** According to the service's last participant list, if it has sent one. */
function isAnybodyElseThere({ participants }: CallRecord): boolean {
  return participants.length === 0 || participants.some(({ role }) => role === "participant");
}

/** Whether the service has sent a list since. One from before the person joined does not say that they have left. */
function isNewer(now: CallRecord, before: CallRecord | undefined): boolean {
  return (
    now.participantsSequence !== before?.participantsSequence || now.participants.length !== before?.participants.length
  );
}
