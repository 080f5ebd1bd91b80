/**
 * Hold: the service plays music to the caller, and meanwhile neither side hears the other. The record says until when,
 * so that any host can take the caller back if the host that asked for the hold is gone.
 */
import { isEnded } from "@voice/shared/calls/call-transitions";
import { createUuid } from "@voice/shared/platform/ids";
import { isSameParty, partyOfText } from "@voice/shared/calls/party";
import { growingDelayMs } from "@voice/shared/platform/backoff";
import { VoiceError } from "@voice/shared/platform/errors";
import { pause } from "@voice/shared/platform/pause";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { CallOperation, OperationOutcome } from "@voice/shared/state/ports/call-operations";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { EffectOutcome, HostEffect } from "../../session/conversation/host-effects.ts";
import type { CallParts } from "../call-parts.ts";
import { callIsMissing } from "../end/follow-up.ts";
import { farEndOf, hearsMusic, isFarEndThere } from "./far-end.ts";
import { refusalReason } from "./refusal-reason.ts";
import { repeatUntilKnown } from "./service-operation.ts";
import { ifStoreReachable } from "../if-store-reachable.ts";

/** How often a held call's record is read; a second more or less of music does not matter to a caller. */
const checkMs = 500;
/**
 * Anything said while the caller still hears music is lost, so this is how long the service's report that the music
 * ended is awaited.
 */
const musicEndsWithinMs = 2000;
const musicCheckMs = 100;
/** How long the service is asked for its music while nobody knows whether the caller hears it: silence is worse than no hold. */
const musicBeginsWithinMs = 10_000;
/** The pauses between two requests to end the music, which are repeated because nobody else can end it. */
const endAgain = { firstMs: 2000, longestMs: 10_000 };

const notConnected: OperationOutcome = { ok: false, reason: "the call is not connected" };
const musicUnknown: OperationOutcome = { ok: false, reason: "a fault in the telephone service" };

/** Resolves when the caller is back, also for a hold that began earlier, on any host (EFFECT-6). */
export async function carryOutHold(
  call: CallRecord,
  { id = createUuid(), seconds }: Extract<HostEffect, { type: "hold" }>,
  parts: CallParts,
): Promise<EffectOutcome> {
  const { host, ledger } = parts;
  const { callId } = call;
  const operation = { callId, operationContext: `hold:${id}` };
  const { isNew, atMs } = await host.state.callOperations.begin(operation);
  const known = isNew ? undefined : await host.state.callOperations.find(operation);
  if (known !== undefined) return known;
  await ledger.logEvent(callId, operation.operationContext, { type: "hold.requested", details: { seconds } });
  const isConnected = !isNew || call.status === "connected";
  const outcome = !isConnected ? notConnected : await hold(call, operation, atMs + seconds * 1000, parts);
  // A repeated request gets the outcome and does not hold the call a second time.
  return (await ifStoreReachable(() => host.state.callOperations.settle(operation, outcome))) ?? outcome;
}

/** The host that began it may have died before the music played, so the service is asked for it again. */
async function hold(
  call: CallRecord,
  operation: CallOperation,
  untilMs: number,
  parts: CallParts,
): Promise<OperationOutcome> {
  const { host, ledger } = parts;
  const { callConnectionId } = call;
  const to = farEndOf(call);
  if (callConnectionId === undefined || to === undefined) return notConnected;
  if (isEnded(call.status) || hearsMusic(call) || host.clock.wallNow() >= untilMs)
    return awaitResumption(call, operation, parts);
  // Stored before the music, so that a host that knows only the record can also take the caller back.
  const held = await ledger.markOnHold(call, untilMs);
  try {
    if (!(await beginMusic(operation, { callConnectionId, to, untilMs }, parts))) {
      await giveBack(held, parts);
      return musicUnknown;
    }
  } catch (error) {
    // A refusal may be the answer to a second attempt, of which the first was carried out.
    await giveBack(held, parts);
    // The caller is told that it failed, so another host must not hold them after that.
    await ifStoreReachable(() =>
      host.state.callOperations.settle(operation, { ok: false, reason: refusalReason(error) }),
    );
    throw error;
  }
  ledger.announce(held, "on hold");
  return awaitResumption(held, operation, parts);
}

/**
 * Asks the service for the music until it is known whether the caller hears it: by its answer, by its list of participants, or by its
 * report of a failure. False if nobody knows. Rejects if the service refuses. Holding somebody twice is holding them once.
 */
export async function beginMusic(
  operation: CallOperation,
  { untilMs, ...request }: { readonly callConnectionId: string; readonly to: string; readonly untilMs: number },
  parts: CallParts,
): Promise<boolean> {
  const { host, automation } = parts;
  const { callId, operationContext } = operation;
  const known = await repeatUntilKnown(
    operation,
    () =>
      orReported(
        automation.hold({ ...request, operationContext, audioUrl: host.settings.commHoldAudio }),
        callId,
        hearsMusic,
        parts,
      ),
    Math.min(untilMs, host.clock.wallNow() + musicBeginsWithinMs),
    parts,
  );
  return known !== undefined || (await ifStoreReachable(() => host.state.callOperations.find(operation))) !== undefined;
}

/** Resolves with the service's answer, or with its report of what the request was for, because either may be lost. */
async function orReported(
  request: Promise<void>,
  callId: string,
  isDone: (call: CallRecord) => boolean,
  { host }: CallParts,
): Promise<void> {
  const known = new AbortController();
  const reported = async (): Promise<void> => {
    while (!known.signal.aborted) {
      await pause(host.clock, checkMs, known.signal);
      const call = known.signal.aborted ? undefined : await ifStoreReachable(() => host.state.calls.get(callId));
      if (call !== undefined && (isEnded(call.status) || isDone(call))) return;
    }
  };
  try {
    await Promise.race([request, reported()]);
  } finally {
    known.abort();
  }
}

/** Never rejects when the service or the cache fails: the next host that checks tries again (EFFECT-13). */
export async function giveBack(held: CallRecord, parts: CallParts): Promise<void> {
  const { host, ledger } = parts;
  try {
    // If this fails, it is tried again soon, not only when the longest hold would be over.
    const now = await ifStoreReachable(() => ledger.cutHoldShort(held));
    if (now !== undefined && !isFarEndThere(now)) return;
    await resumeCall(now ?? held, parts);
  } catch (error) {
    if (!(error instanceof VoiceError)) throw error;
    host.logger.warn({ error, callId: held.callId, code: error.code }, "a caller still hears music");
  }
}

/** Given the record again and again, it says when the service has reported that the music played, and then that it plays no more. */
function endOfMusic(): (call: CallRecord) => boolean {
  let wasHeard = false;
  return (call) => {
    const isHeard = hearsMusic(call);
    const isOver = wasHeard && !isHeard;
    wasHeard ||= isHeard;
    return isOver;
  };
}

/**
 * The caller hears music whatever happens to the store: while it is unreachable there are no reports, and the time
 * runs. The service reports only a hold that failed, so one that has not failed when its time is over has succeeded.
 */
async function awaitResumption(
  held: CallRecord,
  operation: CallOperation,
  parts: CallParts,
): Promise<OperationOutcome> {
  const { host, ledger } = parts;
  const hasEnded = endOfMusic();
  let call = held;
  for (;;) {
    // A store that came back without its data has no reports either.
    call = (await ifStoreReachable(() => host.state.calls.get(held.callId))) ?? call;
    if (isEnded(call.status)) return { ok: false, reason: "the call is over" };
    if (call.status !== "on_hold")
      return (await ifStoreReachable(() => host.state.callOperations.find(operation))) ?? { ok: true };
    if (hasEnded(call)) {
      // The service has ended the music by itself, so the caller is waiting for us.
      ledger.announce(await ledger.markResumed(call), "resumed");
      return { ok: true };
    }
    if (host.clock.wallNow() >= (call.holdUntilMs ?? 0)) {
      await resumeCall(call, parts);
      return { ok: true };
    }
    const failure = await host.state.callOperations.outcome(operation, { timeoutMs: checkMs });
    if (failure !== undefined) {
      // The failure may be that of a repeated request, while the music of the first one plays.
      await giveBack(call, parts);
      return failure;
    }
  }
}

/**
 * Idempotent. Resolves when the caller hears us again, or has left. A request that nobody answers is repeated for as long as it takes:
 * an agent that speaks meanwhile would speak to somebody who hears music.
 */
export async function resumeCall(call: CallRecord, parts: CallParts): Promise<void> {
  const { host, ledger } = parts;
  const { callConnectionId } = call;
  const to = farEndOf(call);
  if (callConnectionId === undefined || to === undefined) return;
  try {
    if (!(await endMusic(call, { callConnectionId, to }, parts))) return;
  } catch (error) {
    if (!(error instanceof VoiceError) || error.retryable) throw error;
    if (error.code === "call_not_found") {
      await callIsMissing(call, parts);
      const now = await parts.host.state.calls.get(call.callId);
      // The caller has left, so there is nobody to take back.
      if (now === undefined || isEnded(now.status)) return;
      // Whoever looks after holds tries again, because the service has said so of calls that went on.
      throw new VoiceError("upstream_unavailable", "the service denies a call that is on hold", { cause: error });
    }
    if (await isListedOnHold(callConnectionId, to, parts))
      throw new VoiceError("upstream_unavailable", "the service refuses to end music that it plays", { cause: error });
    // Refused permanently, because nobody is on hold there: repeating the request would keep the agent silent for ever.
    host.logger.warn(
      { error, callId: call.callId, code: error.code },
      "the service did not end a hold, and the call goes on",
    );
  }
  await musicHasEnded(call, parts);
  // The caller is back, which is reported now; the next host that checks can store it later.
  await ifStoreReachable(async () => ledger.announce(await ledger.markResumed(call), "resumed"));
}

/** False where the service does not say so. Never rejects. */
async function isListedOnHold(callConnectionId: string, who: string, parts: CallParts): Promise<boolean> {
  const { host, automation } = parts;
  return (
    (await warnIfItFails(host.logger, {}, "the service did not say whether a caller hears music", async () => {
      const listed = await automation.participantsOf(callConnectionId);
      return listed.some(({ rawId, isOnHold }) => isOnHold && isSameParty(partyOfText(rawId), partyOfText(who)));
    })) ?? false
  );
}

/** False if the hold, or the call, has ended meanwhile. Rejects if the service refuses for good. */
async function endMusic(
  { callId }: CallRecord,
  request: { readonly callConnectionId: string; readonly to: string },
  parts: CallParts,
): Promise<boolean> {
  const { host, automation } = parts;
  const hasEnded = endOfMusic();
  for (let attempt = 0; ; attempt += 1) {
    try {
      await orReported(automation.unhold(request), callId, hasEnded, parts);
      return true;
    } catch (error) {
      if (!(error instanceof VoiceError) || !error.retryable) throw error;
      host.logger.warn(
        { error, callId, code: error.code },
        "whether a caller still hears music is not known, and the service is asked again to end it",
      );
    }
    await pause(host.clock, growingDelayMs(attempt, endAgain));
    const now = await ifStoreReachable(() => host.state.calls.get(callId));
    if (now !== undefined && now.status !== "on_hold") return false;
    if (now !== undefined && hasEnded(now)) return true;
  }
}

/** While the store is unreachable there are no reports from it. */
async function musicHasEnded({ callId }: CallRecord, { host }: CallParts): Promise<void> {
  const untilMs = host.clock.now() + musicEndsWithinMs;
  while (host.clock.now() < untilMs) {
    const call = await ifStoreReachable(() => host.state.calls.get(callId));
    if (call === undefined || !hearsMusic(call)) return;
    await pause(host.clock, musicCheckMs);
  }
}
