/** What the service is asked to do in a call: the request, until it is known to have arrived, and what becomes of it. */
import { toVoiceError } from "@voice/shared/platform/errors";
import type { ErrorCode } from "@voice/shared/platform/errors";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { CallOperation, OperationOutcome } from "@voice/shared/state/ports/call-operations";
import type { CallParts } from "../call-parts.ts";
import { followUpMs } from "../report-times.ts";

/** The pause between two repetitions of a request. */
const repeatAfterMs = 2000;
/** The service has decided that it does not do it now. */
const refusals: ReadonlySet<ErrorCode> = new Set(["rate_limited", "conflict"]);
const mistakes: ReadonlySet<ErrorCode> = new Set(["pstn_number_invalid", "validation_error"]);

/** What a request asks for is wrong, so that none like it was carried out. Another refusal may be for what the first one did. */
export function isMistake(code: ErrorCode): boolean {
  return mistakes.has(code);
}

/**
 * EFFECT-15: asks the service for something once, however often the request has to be sent: the service recognises a
 * repetition. A request that nobody has answered may have been carried out: the phone rings, or the caller is gone already.
 * Returns the service's answer; undefined where its report of the outcome came first, or may still come: nobody knows whether it is
 * being done. Rejects if it was not done, and is not going to be.
 */
export async function repeatUntilKnown<Answer>(
  operation: CallOperation,
  send: () => Promise<Answer>,
  untilMs: number,
  { host }: CallParts,
): Promise<{ readonly answer: Answer } | undefined> {
  const { callId } = operation;
  let mayBeDone = false;
  for (;;) {
    try {
      return { answer: await send() };
    } catch (error) {
      const { code, retryable } = toVoiceError(error);
      if (isMistake(code) || (!retryable && !mayBeDone)) throw error;
      if (!retryable) return undefined;
      mayBeDone ||= !refusals.has(code);
      const timeoutMs = Math.min(repeatAfterMs, untilMs - host.clock.wallNow());
      if (timeoutMs <= 0 && !mayBeDone) throw error;
      if (timeoutMs <= 0) return undefined;
      host.logger.warn(
        { error, callId, code },
        "whether the service does what it was asked is not known, and it is asked again",
      );
      if ((await host.state.callOperations.outcome(operation, { timeoutMs })) !== undefined) return undefined;
    }
  }
}

/**
 * The outcome of what the service has accepted. It reports each outcome once, and that report may be lost, so the call itself
 * is looked at meanwhile. `look`: what the call shows of the outcome, if anything. Undefined: nothing is known of it when the
 * time is over.
 */
export async function awaitOutcome(
  operation: CallOperation,
  { untilMs, look }: { readonly untilMs: number; readonly look: () => Promise<OperationOutcome | undefined> },
  { host }: CallParts,
): Promise<OperationOutcome | undefined> {
  for (;;) {
    const leftMs = Math.max(0, untilMs - host.clock.wallNow());
    const reported = await host.state.callOperations.outcome(operation, { timeoutMs: Math.min(followUpMs, leftMs) });
    if (reported !== undefined || leftMs <= followUpMs) return reported;
    const { callId } = operation;
    const message = "the service did not say how an operation went";
    const settled = await warnIfItFails(host.logger, { callId }, message, async () => {
      const seen = await look();
      return seen && (await host.state.callOperations.settle(operation, seen));
    });
    if (settled !== undefined) return settled;
  }
}
