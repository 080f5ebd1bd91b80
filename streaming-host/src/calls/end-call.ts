/** Hanging up, so that it holds whether or not the service has ever heard of the call. */
import { isEnded } from "@voice/shared/calls/call-transitions";
import { VoiceError } from "@voice/shared/platform/errors";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { CallAutomation } from "../providers/ports/call-automation.ts";
import type { CallLedger } from "./call-ledger.ts";

/** The `requestId` is the call's own: hanging up twice is hanging up once. */
export async function hangUpCall(
  call: CallRecord,
  reason: string,
  { ledger, automation }: { readonly ledger: CallLedger; readonly automation: CallAutomation },
): Promise<void> {
  if (isEnded(call.status)) return;
  const { callId, callConnectionId } = call;
  if (callConnectionId === undefined) {
    await ledger.end(call, "disconnected", reason);
    return;
  }
  try {
    await automation.hangUp({ requestId: `hang-up:${callId}`, callConnectionId });
  } catch (error) {
    if (!(error instanceof VoiceError) || error.code !== "call_not_found") throw error;
    // The service has forgotten it: its last event is lost, or on its way and harmless.
    await ledger.end(call, "disconnected", reason);
  }
}
