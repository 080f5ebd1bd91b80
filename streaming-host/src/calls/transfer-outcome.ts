/** How a transfer went. The service tells some process by a callback; the call's log tells everyone. */
import { shortEventType } from "@voice/shared/calls/call-transitions";
import { describeFailure } from "@voice/shared/calls/failure-reason";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { CallLogEntry, CallStore } from "@voice/shared/state/ports/call-store";
import type { EffectOutcome } from "../session/host-effects.ts";

const pollMs = 250;

export async function awaitTransfer(
  calls: CallStore,
  clock: Clock,
  transfer: { readonly callId: string; readonly operationContext: string; readonly boundMs: number },
): Promise<EffectOutcome> {
  const deadlineMs = clock.now() + transfer.boundMs;
  while (clock.now() < deadlineMs) {
    const outcome = transferOutcome(await readLog(calls, transfer.callId), transfer.operationContext);
    if (outcome !== undefined) return outcome;
    await new Promise<void>((resolve) => {
      clock.setTimer(pollMs, resolve);
    });
  }
  return { ok: false, reason: "no answer" };
}

/** What the service has said of it so far. */
export function transferOutcome(log: readonly CallLogEntry[], operationContext: string): EffectOutcome | undefined {
  for (const { type, details } of log) {
    if (details["operation_context"] !== operationContext) continue;
    const name = shortEventType(type);
    if (name === "CallTransferAccepted") return { ok: true };
    if (name === "CallTransferFailed") return { ok: false, reason: reasonIn(details) };
  }
  return undefined;
}

/** A cache that is away for a moment has no news; the deadline ends the wait all the same. */
async function readLog(calls: CallStore, callId: string): Promise<readonly CallLogEntry[]> {
  try {
    return await calls.events(callId);
  } catch (error) {
    if (toVoiceError(error).code !== "cache_connection_failed") throw error;
    return [];
  }
}

function reasonIn(details: Readonly<Record<string, unknown>>): string {
  const { code, sub_code: subCode } = details;
  const reason = describeFailure({
    code: typeof code === "number" ? code : undefined,
    subCode: typeof subCode === "number" ? subCode : undefined,
  });
  return reason ?? "the other side could not be reached";
}
