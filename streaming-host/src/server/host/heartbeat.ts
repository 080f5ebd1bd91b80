/** Reports this host's state to the registry every few seconds; the functions app answers status requests from it. */
import { toVoiceError } from "@voice/shared/platform/errors";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { heartbeatPeriodMs } from "@voice/shared/state/ports/host-registry";
import type { HostHeartbeat, HostRegistry } from "@voice/shared/state/ports/host-registry";

/**
 * How far this host's clock may be from the store's. Hosts compare times that others have written with their own: a call
 * that rings for 30 s is ended, and one on hold is taken back 3 s after its time.
 */
const clockToleranceMs = 5000;
/** Bounds a burst of connections to a few reports a second. */
const soonMs = 200;

export interface Heartbeat {
  /** Reports at once instead of at the next interval, because something that others wait for has changed. */
  beat(): Promise<void>;
  /** Reports soon, so that several changes at one moment are reported together. */
  beatSoon(): void;
  /** Idempotent; removes the host from the registry. */
  stop(): Promise<void>;
}

export function startHeartbeat(options: {
  readonly registry: HostRegistry;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly describe: () => HostHeartbeat;
}): Heartbeat {
  const { registry, clock, logger } = options;
  let cancel: CancelTimer | undefined;
  let stopped = false;
  let isSoon = false;
  let isClockWrong = false;

  /** The store's clock was read between sending and receiving. */
  function compareClocks(sentMs: number, storeMs: number, receivedMs: number): void {
    const aheadMs = Math.max(0, sentMs - storeMs) - Math.max(0, storeMs - receivedMs);
    const isWrong = Math.abs(aheadMs) > clockToleranceMs;
    if (isWrong && !isClockWrong)
      logger.warn({ aheadMs }, "this host's clock and the store's differ: calls may be ended too early or too late");
    if (!isWrong && isClockWrong) logger.info({}, "this host's clock and the store's agree again");
    isClockWrong = isWrong;
  }

  async function beat(): Promise<void> {
    // A report after the removal would bring the host back into the registry.
    if (stopped) return;
    try {
      const sentMs = clock.wallNow();
      const storeMs = await registry.beat(options.describe());
      compareClocks(sentMs, storeMs, clock.wallNow());
    } catch (error) {
      logger.warn({ code: toVoiceError(error).code }, "a heartbeat could not be stored in the host registry");
    }
  }

  async function run(): Promise<void> {
    await beat();
    if (!stopped) cancel = clock.setTimer(heartbeatPeriodMs, () => void run());
  }

  void run();
  return {
    beat,
    beatSoon() {
      if (isSoon || stopped) return;
      isSoon = true;
      clock.setTimer(soonMs, () => {
        isSoon = false;
        if (!stopped) void beat();
      });
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      cancel?.();
      try {
        await registry.remove(options.describe().hostId);
      } catch (error) {
        // A stopping host has other things to release, and the registry removes a silent host by itself.
        logger.warn({ code: toVoiceError(error).code }, "a host could not be taken out of the host registry");
      }
    },
  };
}
