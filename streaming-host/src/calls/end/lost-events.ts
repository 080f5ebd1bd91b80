/** Asks the service about the calls whose time has come (LOST). */
import { toVoiceError } from "@voice/shared/platform/errors";
import type { CallParts } from "../call-parts.ts";
import { quietMs } from "../report-times.ts";
import { followUp } from "./follow-up.ts";

const tickMs = 5000;
/** With the tick, this bounds what one host asks while the service is in trouble: ten calls a second. */
const batch = 50;

/** Returns the function that stops it. */
export function watchForLostEvents(parts: CallParts): () => void {
  const { host } = parts;
  let isStopped = false;

  async function tick(): Promise<void> {
    try {
      const overdue = await host.state.callChecks.take({ limit: batch, leaseMs: quietMs });
      // Together, because a service that hangs over one would keep the others waiting.
      await Promise.all(overdue.map((callId) => askAbout(callId, parts)));
    } catch (error) {
      host.logger.warn({ error, code: toVoiceError(error).code }, "calls were not asked about");
    }
    if (!isStopped) cancel = host.clock.setTimer(tickMs, () => void tick());
  }

  let cancel = host.clock.setTimer(tickMs, () => void tick());
  return () => {
    isStopped = true;
    cancel();
  };
}

/** A failure with one call does not affect the others. */
async function askAbout(callId: string, parts: CallParts): Promise<void> {
  const { host } = parts;
  try {
    const call = await host.state.calls.get(callId);
    await (call === undefined ? host.state.callChecks.forget(callId) : followUp(call, parts));
  } catch (error) {
    host.logger.warn({ error, callId, code: toVoiceError(error).code }, "a call was not followed up");
  }
}
