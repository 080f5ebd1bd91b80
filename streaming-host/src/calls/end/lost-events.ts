/** Asks the service about calls of which it has reported nothing for so long that an event may be lost (LOST). */
import type { CallParts } from "../call-parts.ts";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import { quietMs } from "../report-times.ts";
import { followUp } from "./follow-up.ts";

const tickMs = 5000;
/** With the tick, this bounds what one host asks while the service is in trouble: ten calls a second. */
const batch = 50;

/** Returns the function that stops watching. */
export function watchForLostEvents(parts: CallParts): () => void {
  const { host } = parts;
  let isStopped = false;

  async function tick(): Promise<void> {
    await warnIfItFails(host.logger, {}, "calls were not asked about", async () => {
      const overdue = await host.state.callChecks.take({ limit: batch, leaseMs: quietMs });
      // Together, because a service that hangs over one would keep the others waiting.
      await Promise.all(overdue.map((callId) => askAbout(callId, parts)));
    });
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
  await warnIfItFails(host.logger, { callId }, "a call was not followed up", async () => {
    const call = await host.state.calls.get(callId);
    await (call === undefined ? host.state.callChecks.forget(callId) : followUp(call, parts));
  });
}
