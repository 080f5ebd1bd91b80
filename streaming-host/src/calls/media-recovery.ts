/** A call whose audio nobody carries is a silent call: its stream is opened again, and after a few times it is ended. */
import { shortEventType } from "@voice/shared/calls/call-transitions";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import type { CallAutomation, CallStreamKind } from "../providers/ports/call-automation.ts";
import type { CallLedger } from "./call-ledger.ts";
import { hangUpCall } from "./end-call.ts";

/** The service itself has tried for seconds each time before it reports a failure. */
const maxFailures = 3;
/** What is farther apart is another trouble: over hours, a call may lose its host to every deploy of a day. */
const failuresWithinMs = 120_000;

/** Which stream an event says has failed. */
export function failedStream(eventType: string): CallStreamKind["kind"] | undefined {
  const type = shortEventType(eventType);
  if (type === "MediaStreamingFailed") return "audio";
  return type === "TranscriptionFailed" ? "transcript" : undefined;
}

function isStreamStarted(eventType: string): boolean {
  const type = shortEventType(eventType);
  return type === "MediaStreamingStarted" || type === "TranscriptionStarted";
}

export async function recoverMedia(
  call: CallRecord,
  kind: CallStreamKind["kind"],
  dependencies: {
    readonly calls: CallStore;
    readonly ledger: CallLedger;
    readonly automation: CallAutomation;
    readonly logger: Logger;
  },
): Promise<void> {
  const { calls, automation, logger } = dependencies;
  if (call.callConnectionId === undefined) return;
  const log = await calls.events(call.callId);
  // The event may be old: its first handling has opened the stream, and its host died before it could say so.
  const lastFailure = log.findLastIndex(({ type }) => failedStream(type) !== undefined);
  if (log.findLastIndex(({ type }) => isStreamStarted(type)) > lastFailure) return;
  const sinceMs = (log[lastFailure]?.timestampMs ?? 0) - failuresWithinMs;
  const failures = log.filter(({ type, timestampMs }) => failedStream(type) !== undefined && timestampMs >= sinceMs);
  if (failures.length < maxFailures) {
    try {
      await automation.startStream(call.callConnectionId, kind);
      return;
    } catch (error) {
      logger.warn(
        { error, callId: call.callId, code: toVoiceError(error).code },
        "the media stream did not start again",
      );
    }
  }
  await hangUpCall(call, "the media stream failed", dependencies);
}
