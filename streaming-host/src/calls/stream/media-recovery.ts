/**
 * Restores the audio of a call whose stream was lost. The stream is requested at once, then at growing intervals; a
 * call that has been silent for too long is transferred to a person or ended (MEDIA-2).
 */
import { isEnded } from "@voice/shared/calls/call-transitions";
import { streamFailure } from "@voice/shared/calls/failure-reason";
import { personDestination } from "@voice/shared/config/destinations";
import { toVoiceError } from "@voice/shared/platform/errors";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { CallRecord, StreamFailure } from "@voice/shared/state/ports/call-store";
import type { Lease } from "@voice/shared/state/ports/work-queue";
import type { CallStreamKind } from "@voice/provider-kit/ports/call-automation";
import type { CallParts } from "../call-parts.ts";
import { requestFarewell } from "../end/farewell.ts";
import { callIsMissing } from "../end/follow-up.ts";
import { followUpMs } from "../report-times.ts";
import { streamOf } from "../begin/media-address.ts";
import { carryOutTransfer } from "../effects/transfer-call.ts";

/** After this long, a caller who has heard nothing has said "hello?" three times. */
export const silenceLimitMs = 15_000;
/** A stream that repeatedly opens and breaks at once counts as none. */
const flapping = { failures: 8, withinMs: 10_000 };
/** How long to wait, after the service stopped a stream, before asking for it again. */
const stoppedMs = 1000;
/** How long the service may take to open a requested stream. */
export const openingMs = 3000;
/** After this many failures in a row, the next attempt is delayed, because an immediate retry would fail again. */
const retryDelaysMs = [0, 500, 1000, 2000];

/** The service has reported that the stream failed; that is stored before anybody is told. */
export async function recoverMedia(call: CallRecord, kind: CallStreamKind["kind"], parts: CallParts): Promise<void> {
  // The event may be a repetition: its first handling opened the stream, and the host died before it could acknowledge
  // it.
  if (failuresInARow(call).length === 0 || call.callConnectionId === undefined) return undefined;
  // The call's conversation is over, so the call needs no stream but has to be ended (END-10).
  if (call.hangUpAtMs !== undefined) return parts.host.state.callChecks.expect(call.callId, followUpMs);
  const lease = await parts.host.state.callStreams.leaseOf(call.callId);
  if (lease === undefined) return reopen(call, kind, parts);
  if (parts.automation.reopensStreams) return void (await isLiving(call, parts));
  // The call's next events do not wait for that. If this host dies meanwhile, the lease runs out.
  void reopenIfDead(call, kind, lease, parts);
  return undefined;
}

/** Some host has, or had, a stream of the call. Never rejects: what is not known is left to the lease. */
async function reopenIfDead(call: CallRecord, kind: CallStreamKind["kind"], lease: Lease, parts: CallParts) {
  const { host } = parts;
  const { callId } = call;
  try {
    if (!(await parts.holders.takeFromDead(lease, openingMs))) return void (await isLiving(call, parts));
    host.logger.warn({ callId }, "the host that had a call's stream is gone");
    const current = await host.state.calls.get(callId);
    if (current === undefined || isEnded(current.status)) return await host.state.callStreams.forget(callId);
    return await recoverMedia(current, kind, parts);
  } catch (error) {
    const { code } = toVoiceError(error);
    host.logger.warn({ error, callId, code }, "whether the host of a call's stream lives could not be found out");
  }
}

/** No host has a stream of the call. */
async function reopen(call: CallRecord, kind: CallStreamKind["kind"], parts: CallParts): Promise<void> {
  const current = failuresInARow(call);
  const delayMs = retryDelaysMs[Math.min(current.length, retryDelaysMs.length) - 1] ?? 0;
  await parts.host.state.callStreams.set(call.callId, delayMs === 0 ? openingMs : delayMs);
  if (isHopeless(call, parts.host.clock.wallNow())) return giveUp(call, parts);
  return delayMs === 0 ? askForStream(call, kind, parts) : undefined;
}

/** The service has stopped the stream without a failure, and may open it again by itself. */
export async function awaitReopening(call: CallRecord, parts: CallParts): Promise<void> {
  if (!(await isLiving(call, parts))) await parts.host.state.callStreams.set(call.callId, stoppedMs);
}

/**
 * A host has a stream that brings audio, whatever the service says about this one or an earlier one (LOST-4). If it ends now, that host
 * says so within 2 s, and then the call is found as one without a stream.
 */
async function isLiving(call: CallRecord, { host, ledger }: CallParts): Promise<boolean> {
  const { callId } = call;
  if ((await host.state.callStreams.holderOf(callId)) === undefined) return false;
  host.logger.warn({ callId }, "the service says that a stream has ended, and its audio arrives");
  await ledger.markStreamOpened(call);
  return true;
}

/** No host has the stream of a connected call, whether or not the service has reported it. */
export async function recoverSilentCall(call: CallRecord, parts: CallParts): Promise<void> {
  const { host, ledger } = parts;
  const silent = failuresInARow(call).length > 0 ? call : await ledger.markStreamMissing(call);
  if (isHopeless(silent, host.clock.wallNow())) return giveUp(silent, parts);
  return askForStream(silent, streamOf(silent, host.settings).kind, parts);
}

function failuresInARow({ streamFailures = [] }: CallRecord): readonly StreamFailure[] {
  return streamFailures.filter(({ isMended }) => !isMended);
}

/**
 * Failures after which the stream was opened again count only if they come in quick succession, since a call may
 * outlive many hosts.
 */
function isHopeless(call: CallRecord, nowMs: number): boolean {
  const [first] = failuresInARow(call);
  if (first !== undefined && nowMs - first.atMs >= silenceLimitMs) return true;
  const recent = (call.streamFailures ?? []).filter(({ atMs }) => nowMs - atMs < flapping.withinMs);
  return recent.length >= flapping.failures;
}

/** Never rejects: the next host that finds the call silent asks again. */
export async function askForStream(call: CallRecord, kind: CallStreamKind["kind"], parts: CallParts): Promise<void> {
  const { callId, callConnectionId } = call;
  if (callConnectionId === undefined) return;
  try {
    if ((await parts.automation.startStream(callConnectionId, kind)) === "elsewhere") {
      // The caller hears somebody else or music, which is not the silence that ends a call.
      await parts.ledger.markStreamOpened(call);
      return;
    }
    parts.host.telemetry.count("voice.recoveries");
  } catch (error) {
    const { code } = toVoiceError(error);
    parts.host.logger.warn({ error, callId, code }, "the media stream did not start again");
    if (code === "call_not_found") await callIsMissing(call, parts);
  }
}

async function giveUp(call: CallRecord, parts: CallParts): Promise<void> {
  const { host, ledger } = parts;
  const { callId } = call;
  // Nobody else has to check while a person's phone rings.
  await host.state.callStreams.set(callId, host.settings.commCallTimeoutMs + openingMs);
  host.logger.error({ callId }, "a silent call is given up");
  await ledger.logEvent(callId, `stream-lost:${callId}`, {
    type: "stream.lost",
    details: { answer: host.settings.commWhenSilent, failure: streamFailure().code },
  });
  if (host.settings.commWhenSilent === "person") {
    const wanted = { id: `silent:${callId}`, target: personDestination, reason: "the agent could not be heard" };
    const outcome = await warnIfItFails(host.logger, { callId }, "a silent call could not be given to a person", () =>
      carryOutTransfer(call, wanted, parts),
    );
    if (outcome?.ok === true) return;
  }
  // The service opens no stream but may still be able to speak, so nobody is hung up on without a word.
  await requestFarewell(call, "silent", parts);
}
