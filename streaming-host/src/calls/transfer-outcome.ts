/** How a transfer went. The service tells some process by a callback; the call's log tells everyone. */
import { shortEventType } from "@voice/shared/calls/call-transitions";
import { describeFailure } from "@voice/shared/calls/failure-reason";
import type { Clock } from "@voice/shared/platform/clock";
import type { CallStore } from "@voice/shared/state/ports/call-store";
import type { EffectOutcome } from "../session/host-effects.ts";

const pollMs = 250;

export async function awaitTransfer(
  calls: CallStore,
  clock: Clock,
  transfer: { readonly callId: string; readonly operationContext: string; readonly boundMs: number },
): Promise<EffectOutcome> {
  const deadlineMs = clock.now() + transfer.boundMs;
  while (clock.now() < deadlineMs) {
    for (const { type, details } of await calls.events(transfer.callId)) {
      if (details["operation_context"] !== transfer.operationContext) continue;
      const name = shortEventType(type);
      if (name === "CallTransferAccepted") return { ok: true };
      if (name === "CallTransferFailed") return { ok: false, reason: reasonIn(details) };
    }
    await new Promise<void>((resolve) => {
      clock.setTimer(pollMs, resolve);
    });
  }
  return { ok: false, reason: "no answer" };
}

function reasonIn(details: Readonly<Record<string, unknown>>): string {
  const { code, sub_code: subCode } = details;
  const reason = describeFailure({
    code: typeof code === "number" ? code : undefined,
    subCode: typeof subCode === "number" ? subCode : undefined,
  });
  return reason ?? "the other side could not be reached";
}
