/**
 * After a failed transfer, the service needs a moment until the call is established again, and may not restore its
 * stream by itself. The agent speaks once both are there.
 */
import { toVoiceError } from "@voice/shared/platform/errors";
import { pause } from "@voice/shared/platform/pause";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { CallParts } from "../call-parts.ts";
import { streamOf } from "../begin/media-address.ts";

const askEveryMs = 500;
/** The caller hears nothing meanwhile. */
const maxQuestions = 6;

/** False if the call is over. Never rejects: if the state cannot be found out, the caller is spoken to. */
export async function restoreCall(call: CallRecord, parts: CallParts): Promise<boolean> {
  const { host } = parts;
  try {
    return await restore(call, parts);
  } catch (error) {
    host.logger.warn(
      { error, callId: call.callId, code: toVoiceError(error).code },
      "a call could not be looked after when its transfer had failed",
    );
    return true;
  }
}

async function restore(call: CallRecord, parts: CallParts): Promise<boolean> {
  const { host, automation } = parts;
  const { callId, callConnectionId } = call;
  if (callConnectionId === undefined) return false;
  for (let question = 1; question <= maxQuestions; question++) {
    const state = await automation.stateOf(callConnectionId);
    // The service has said so of calls whose audio arrived.
    if (state === "gone") return (await host.state.callStreams.holderOf(callId)) !== undefined;
    if (state === "connected") break;
    await pause(host.clock, askEveryMs);
  }
  if ((await host.state.callStreams.holderOf(callId)) === undefined)
    await automation.startStream(callConnectionId, streamOf(call, host.settings).kind);
  return true;
}
