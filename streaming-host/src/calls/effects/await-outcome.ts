/**
 * The outcome of something that the service has accepted. It reports each outcome once, and that report may be lost, so the
 * call itself is looked at meanwhile.
 */
import { toVoiceError } from "@voice/shared/platform/errors";
import type { CallOperation, OperationOutcome } from "@voice/shared/state/ports/call-operations";
import type { CallParts } from "../call-parts.ts";
import { followUpMs } from "../report-times.ts";

/** `look`: what the call itself shows of the outcome, if anything. Undefined: nothing is known of it when the time is over. */
export async function awaitOutcome(
  operation: CallOperation,
  { untilMs, look }: { readonly untilMs: number; readonly look: () => Promise<OperationOutcome | undefined> },
  { host }: CallParts,
): Promise<OperationOutcome | undefined> {
  for (;;) {
    const leftMs = Math.max(0, untilMs - host.clock.wallNow());
    const reported = await host.state.callOperations.outcome(operation, { timeoutMs: Math.min(followUpMs, leftMs) });
    if (reported !== undefined || leftMs <= followUpMs) return reported;
    try {
      const seen = await look();
      if (seen !== undefined) return await host.state.callOperations.settle(operation, seen);
    } catch (error) {
      const { callId } = operation;
      host.logger.warn(
        { error, callId, code: toVoiceError(error).code },
        "the service did not say how an operation went",
      );
    }
  }
}
