/**
 * After a failed transfer, the service needs a moment until the call is established again, and may not restore its
 * stream by itself. The agent speaks once both are there.
 */
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { pause } from "@voice/shared/platform/pause";
import type { Settings } from "@voice/shared/config/settings";
import type { CallDeadlines } from "@voice/shared/state/ports/call-deadlines";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { CallAutomation } from "@voice/provider-kit/ports/call-automation";
import { streamOf } from "./media-address.ts";

export interface RestoreDependencies {
  readonly automation: CallAutomation;
  readonly streams: CallDeadlines;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
}

const askEveryMs = 500;
/** The caller hears nothing meanwhile. */
const maxQuestions = 6;

/** False if the call is over. Never rejects: if the state cannot be found out, the caller is spoken to. */
export async function restoreCall(call: CallRecord, dependencies: RestoreDependencies): Promise<boolean> {
  const { logger } = dependencies;
  try {
    return await restore(call, dependencies);
  } catch (error) {
    logger.warn(
      { error, callId: call.callId, code: toVoiceError(error).code },
      "a call could not be looked after when its transfer had failed",
    );
    return true;
  }
}

async function restore(call: CallRecord, dependencies: RestoreDependencies): Promise<boolean> {
  const { automation, streams, settings, clock } = dependencies;
  const { callId, callConnectionId } = call;
  if (callConnectionId === undefined) return false;
  for (let question = 1; question <= maxQuestions; question++) {
    const state = await automation.stateOf(callConnectionId);
    if (state === "gone") return false;
    if (state === "connected") break;
    await pause(clock, askEveryMs);
  }
  if ((await streams.holderOf(callId)) === undefined)
    await automation.startStream(callConnectionId, streamOf(call, settings).kind);
  return true;
}
