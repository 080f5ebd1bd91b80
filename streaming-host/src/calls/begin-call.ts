/** Placing and answering: the record names a call, the service is asked for it once, and the record learns its id. */
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { Settings } from "@voice/shared/config/settings";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import type { CallAutomation, NewCallOptions } from "../providers/ports/call-automation.ts";
import type { CallLedger } from "./call-ledger.ts";
import { hangUpUnwanted } from "./end-call.ts";
import { callAddresses, streamOf } from "./media-address.ts";

export interface BeginCallDependencies {
  readonly calls: CallStore;
  readonly ledger: CallLedger;
  readonly automation: CallAutomation;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The context of an incoming call goes stale about half a minute after the first ring. */
export const answerWindowMs = 30_000;

export function placeCall(callId: string, requestId: string, dependencies: BeginCallDependencies): Promise<void> {
  const { automation, settings } = dependencies;
  return begin(callId, settings.commCallTimeoutMs, dependencies, (call) => {
    const callerNumber = call.callerNumber ?? settings.commPhoneNumber;
    if (callerNumber === undefined) throw new VoiceError("dependency_not_ready", "COMM_PHONE_NUMBER is not set");
    return automation.place({
      ...newCallOptions(call, requestId, settings),
      targetNumber: call.targetNumber,
      callerNumber,
    });
  });
}

export function answerCall(
  { callId, incomingCallContext }: { readonly callId: string; readonly incomingCallContext: string },
  requestId: string,
  dependencies: BeginCallDependencies,
): Promise<void> {
  const { automation, settings } = dependencies;
  return begin(callId, answerWindowMs, dependencies, (call) =>
    automation.answer({ ...newCallOptions(call, requestId, settings), incomingCallContext }),
  );
}

/** Rejects when another attempt may help; everything else ends the call with its reason. */
async function begin(
  callId: string,
  notAfterMs: number,
  { calls, ledger, automation, clock, logger }: BeginCallDependencies,
  ask: (call: CallRecord) => Promise<{ readonly callConnectionId: string }>,
): Promise<void> {
  const call = await ledger.get(callId);
  if (call === undefined || isEnded(call.status) || call.callConnectionId !== undefined) return;
  if (clock.wallNow() - call.createdAtMs > notAfterMs) {
    await ledger.end(call, "failed", "nobody took care of the call in time");
    return;
  }
  try {
    const { callConnectionId } = await ask(call);
    const accepted = await ledger.accept(call, callConnectionId);
    // Terminated while the service was being asked: there was nothing to hang up then, now there is.
    if (isEnded(accepted.status)) await hangUpUnwanted({ ...accepted, callConnectionId }, { calls, automation });
    else ledger.show(accepted, "accepted");
  } catch (error) {
    const { code, retryable } = toVoiceError(error);
    logger.warn({ error, callId, code }, "a call could not be begun");
    if (retryable) throw error;
    const isGone = call.direction === "inbound" && code === "call_not_found";
    await ledger.end(call, "failed", isGone ? "the caller has gone" : code);
  }
}

function newCallOptions(call: CallRecord, requestId: string, settings: Settings): NewCallOptions {
  return { requestId, callId: call.callId, stream: streamOf(call, settings), ...callAddresses(settings, call) };
}
