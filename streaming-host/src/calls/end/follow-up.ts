/**
 * What became of something that the service has accepted, or of a call that it says it does not know. It reports each
 * outcome once, and that report may be lost, so it is also asked. Its answers are doubted: it has said of a call that it knows
 * no such call while the caller talked on (graph-comms-samples#191, microsoft-graph-docs-contrib#4849). A stream that a host
 * has outweighs them, and only several of them in a row end a call.
 */
import { isAwaitingAnswer, isEnded } from "@voice/shared/calls/call-transitions";
import { callerHasGone, noAnswer } from "@voice/shared/calls/failure-reason";
import { operatorTopic, type OperatorCommand } from "@voice/shared/contracts/events/operator-command";
import { toVoiceError } from "@voice/shared/platform/errors";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { CallParts } from "../call-parts.ts";
import { firstStreamMs, followUpMs, quietMs } from "../report-times.ts";
import { endAbandonedConversation } from "./abandoned-conversation.ts";
import { requestFarewell } from "./farewell.ts";

/** How soon the service is asked again if its answer was of no use. */
const unknownMs = 30_000;
/** For so long the service must say that it knows no such call; a call that nobody carries is hung up sooner (MEDIA-2). */
const missingForMs = 20_000;
const missingAgainMs = 5000;
/** A call that was closed without the service's report is asked about for this long. */
const doubtedForMs = 10 * 60_000;

/** Asks the service where the call stands, acts on the answer, and says when it is to be asked again. */
export async function followUp(call: CallRecord, parts: CallParts): Promise<void> {
  const { host, automation } = parts;
  const { callId, callConnectionId } = call;
  if (call.endedByService === true) return host.state.callChecks.forget(callId);
  if (callConnectionId === undefined) return isEnded(call.status) ? host.state.callChecks.forget(callId) : undefined;
  const state = await warnIfItFails(host.logger, { callId }, "the service did not say where a call stands", () =>
    automation.stateOf(callConnectionId),
  );
  if (isEnded(call.status)) return makeSilent(call, { isGone: state === "gone" }, parts);
  if (state === "gone") return callIsMissing(call, parts);
  if (call.hangUpAtMs !== undefined) return makeSilent(call, { isGone: false }, parts);
  if (state === undefined) return host.state.callChecks.set(callId, unknownMs);
  await parts.ledger.markFound(call);
  await host.state.callChecks.set(callId, isAwaitingAnswer(call.status) ? followUpMs : quietMs);
  if (state === "connected" && isAwaitingAnswer(call.status))
    await isAnswered(await parts.ledger.markConnected(call, callConnectionId), parts);
  return undefined;
}

/** The service has reported that it knows no such call. */
export async function callIsMissing({ callId }: CallRecord, parts: CallParts): Promise<void> {
  const { host, ledger } = parts;
  const call = await host.state.calls.get(callId);
  if (call === undefined || call.endedByService === true) return host.state.callChecks.forget(callId);
  if (isEnded(call.status)) return makeSilent(call, { isGone: true }, parts);
  if ((await host.state.callStreams.holderOf(callId)) !== undefined) {
    host.logger.warn({ callId }, "the service knows no such call, and its audio arrives");
    if (call.hangUpAtMs !== undefined) return makeSilent(call, { isGone: true }, parts);
    await ledger.markFound(call);
    return host.state.callChecks.set(callId, quietMs);
  }
  const { missingSinceMs = host.clock.wallNow() } = await ledger.markMissing(call);
  // The service was asked to end this call, so this answer was expected.
  const isExpected = call.hangUpAtMs !== undefined;
  if (!isExpected && host.clock.wallNow() - missingSinceMs < missingForMs)
    return host.state.callChecks.set(callId, missingAgainMs);
  await host.state.callChecks.set(callId, followUpMs);
  await conclude(call, parts);
  return undefined;
}

async function conclude(call: CallRecord, parts: CallParts): Promise<void> {
  const { host, ledger } = parts;
  const { callId, direction } = call;
  const evidence = "the communication service knows no such call, and no host has its audio";
  const isUnanswered = isAwaitingAnswer(call.status) && call.hangUpAtMs === undefined;
  const isOurs = isUnanswered
    ? await ledger.fail(call, direction === "inbound" ? callerHasGone : noAnswer)
    : await ledger.end(call, evidence);
  if (!isOurs) return;
  await ledger.logEvent(callId, `presumed-over:${callId}`, { type: "call.presumed-over", details: { evidence } });
  void warnIfItFails(host.logger, { callId }, "a call that is over was not ended", () =>
    endAbandonedConversation(call, parts),
  );
}

/**
 * For us the call is over, and the service has not reported its end: somebody may hear silence. Each request is a new one,
 * because a repeated one would get the answer of the first. The pauses grow with the time since then.
 */
async function makeSilent(call: CallRecord, { isGone }: { readonly isGone: boolean }, parts: CallParts): Promise<void> {
  const { host, ledger, automation } = parts;
  const { callId, callConnectionId, sessionId, hangUpAtMs, endedAtMs, missingSinceMs } = call;
  if (callConnectionId === undefined) return host.state.callChecks.forget(callId);
  const nowMs = host.clock.wallNow();
  const closedForMs = nowMs - (hangUpAtMs ?? endedAtMs ?? nowMs);
  const isCarried = (await host.state.callStreams.holderOf(callId)) !== undefined;
  if (isGone && !isCarried) {
    // The service is asked a few times more, because it may be wrong.
    await (closedForMs > doubtedForMs
      ? host.state.callChecks.forget(callId)
      : host.state.callChecks.set(callId, Math.max(closedForMs, followUpMs)));
    if (missingSinceMs !== undefined) return undefined;
    await ledger.markMissing(call);
  } else {
    await host.state.callChecks.set(callId, Math.min(Math.max(closedForMs, followUpMs), quietMs));
  }
  if (isCarried)
    host.state.broadcasts.send(operatorTopic, JSON.stringify({ type: "end", sessionId } satisfies OperatorCommand));
  try {
    const repetition = { id: `hang-up:${callId}:${nowMs}`, firstSentAtMs: nowMs };
    await automation.hangUp({ repetition, callConnectionId });
  } catch (error) {
    const { code } = toVoiceError(error);
    if (code !== "call_not_found")
      host.logger.warn({ error, callId, code }, "a call that is over was not hung up, again");
  }
  return undefined;
}

/** Somebody has answered: the call is to have a stream, or to be told why it gets none. */
export async function isAnswered(call: CallRecord, parts: CallParts): Promise<void> {
  if (call.turnedAway === true) await requestFarewell(call, call.announcement === undefined ? "full" : "closed", parts);
  else await parts.host.state.callStreams.expect(call.callId, firstStreamMs);
}
