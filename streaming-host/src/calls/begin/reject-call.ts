import { toVoiceError } from "@voice/shared/platform/errors";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { CallParts } from "../call-parts.ts";

/** For us the call is over; the caller hears that we are busy rather than endless ringing. */
export async function rejectCall(
  { callId }: Pick<CallRecord, "callId">,
  incomingCallContext: string,
  { host, automation }: CallParts,
): Promise<void> {
  try {
    const repetition = { id: `reject:${callId}`, firstSentAtMs: host.clock.wallNow() };
    await automation.reject({ repetition, incomingCallContext });
  } catch (error) {
    host.logger.warn(
      { error, callId, code: toVoiceError(error).code },
      "a caller was not told that nobody will answer",
    );
  }
}
