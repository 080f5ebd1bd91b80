/** Reports this host's state to the registry every few seconds; the functions app answers status requests from it. */
import { toVoiceError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import { heartbeatPeriodMs } from "@voice/shared/state/ports/host-registry";
import type { HostHeartbeat, HostRegistry } from "@voice/shared/state/ports/host-registry";

/** Bounds a burst of connections to a few reports a second. */
const soonMs = 200;

const sentences = {
  failing: "heartbeats cannot be stored in the host registry",
  over: "heartbeats are stored in the host registry again",
};

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
  /** The registry has the host again: for a while it was missing, and others may have taken it for dead. */
  readonly onReturned: () => void;
  /** Each time a report could not be stored: as long as that goes on, no conversation begins here. */
  readonly onFailed: (error: VoiceError) => void;
}): Heartbeat {
  const { registry, clock, logger } = options;
  const storing = createOutageLog(logger, sentences);
  let cancel: CancelTimer | undefined;
  let stopped = false;
  let isSoon = false;
  let wasEverListed = false;

  async function beat(): Promise<void> {
    // A report after the removal would bring the host back into the registry.
    if (stopped) return;
    try {
      const wasListed = await registry.beat(options.describe());
      if (!wasListed && wasEverListed) options.onReturned();
      wasEverListed = true;
      storing.worked();
    } catch (error) {
      storing.failed(error);
      options.onFailed(toVoiceError(error));
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
