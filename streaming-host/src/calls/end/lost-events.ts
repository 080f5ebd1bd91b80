/**
 * The service reports the end of a call once, and that report may be lost: the service is asked about a connected call
 * from which no event has come for a minute (LOST-1).
 */
import { isEnded } from "@voice/shared/calls/call-transitions";
import { toVoiceError } from "@voice/shared/platform/errors";
import { concludeForgottenCall } from "./abandoned-conversation.ts";
import type { CallParts } from "../call-parts.ts";

/** How long a connected call may go without an event. */
export const quietMs = 60_000;
const tickMs = 5000;
const batch = 50;

/** Returns the function that stops it. */
export function watchForLostEvents(parts: CallParts): () => void {
  const { checks, clock, logger } = parts;
  let isStopped = false;

  async function tick(): Promise<void> {
    try {
      for (const callId of await checks.takeOverdue(quietMs, batch)) await askAbout(callId, parts);
    } catch (error) {
      logger.warn({ error, code: toVoiceError(error).code }, "calls were not asked about");
    }
    if (!isStopped) cancel = clock.setTimer(tickMs, () => void tick());
  }

  let cancel = clock.setTimer(tickMs, () => void tick());
  return () => {
    isStopped = true;
    cancel();
  };
}

/** A failure with one call does not affect the others. */
async function askAbout(callId: string, parts: CallParts): Promise<void> {
  const { calls, checks, automation, logger } = parts;
  try {
    const call = await calls.get(callId);
    if (call === undefined || isEnded(call.status)) return await checks.forget(callId);
    if (call.callConnectionId === undefined) return undefined;
    if ((await automation.stateOf(call.callConnectionId)) === "gone")
      void concludeForgottenCall(call, parts).catch((error: unknown) =>
        logger.warn({ error, callId, code: toVoiceError(error).code }, "a call that is over was not ended"),
      );
  } catch (error) {
    logger.warn({ error, callId, code: toVoiceError(error).code }, "the service did not say where a call stands");
  }
  return undefined;
}
