/**
 * Measures this process's event loop delay: one thread serves all callers, so work for one of them delays all others
 * audibly. While the delay stays high, admission refuses new conversations.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Clock } from "@voice/shared/platform/clock";

export interface EventLoopDelay {
  /** The 99th percentile of the last window. */
  readonly delayMs: number;
  /** Whether new conversations are refused. */
  readonly isOverloaded: boolean;
  stop(): void;
}

export interface EventLoopDelayOptions {
  readonly limitMs: number;
  readonly clock: Clock;
  /** The 99th percentile since it was last read. */
  readonly readDelayMs: () => number;
  readonly stopReading?: () => void;
  /** For telemetry: called once per window. */
  readonly onMeasured?: (delayMs: number) => void;
}

const windowMs = 1000;
/** A single late second may be the machine's doing; three in a row are load. As many seconds without delay end it. */
const windowsToDecide = 3;

export function watchEventLoopDelay(options: EventLoopDelayOptions): EventLoopDelay {
  const { limitMs, clock, readDelayMs, stopReading, onMeasured } = options;
  let delayMs = 0;
  let isOverloaded = false;
  let contrary = 0;

  function measure(): void {
    delayMs = readDelayMs();
    onMeasured?.(delayMs);
    // The limit for ending is half as high, so that a load near the limit does not switch back and forth.
    const speaksAgainst = isOverloaded ? delayMs < limitMs / 2 : delayMs > limitMs;
    contrary = speaksAgainst ? contrary + 1 : 0;
    if (contrary >= windowsToDecide) {
      isOverloaded = !isOverloaded;
      contrary = 0;
    }
    cancel = clock.setTimer(windowMs, measure);
  }

  let cancel = clock.setTimer(windowMs, measure);
  return {
    get delayMs() {
      return delayMs;
    },
    get isOverloaded() {
      return isOverloaded;
    },
    stop() {
      cancel();
      stopReading?.();
    },
  };
}

/** The sampling interval, which the histogram counts as part of the delay. */
const resolutionMs = 10;

/** Reads and resets this process's event loop delay. */
export function processDelay(): { readonly readDelayMs: () => number; readonly stopReading: () => void } {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  return {
    readDelayMs() {
      const delayMs = Math.max(0, histogram.percentile(99) / 1e6 - resolutionMs);
      histogram.reset();
      return Math.round(delayMs * 10) / 10;
    },
    stopReading: () => void histogram.disable(),
  };
}
