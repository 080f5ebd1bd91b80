import type { CallRecord } from "@voice/shared/state/ports/call-store";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { CallParts } from "../call-parts.ts";

/** For us the call is over; the caller hears that we are busy rather than endless ringing. */
export async function rejectCall(
  { callId }: Pick<CallRecord, "callId">,
  incomingCallContext: string,
  { host, automation }: CallParts,
): Promise<void> {
  await warnIfItFails(host.logger, { callId }, "a caller was not told that nobody will answer", async () => {
    const repetition = { id: `reject:${callId}`, firstSentAtMs: host.clock.wallNow() };
    await automation.reject({ repetition, incomingCallContext });
  });
}
