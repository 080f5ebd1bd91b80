/** Levels arrive fifty times a second, and each update costs the browser a style computation, a layout and a frame. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

import type { Store } from "@voice/client-kit/store";

/** As often as the service reports levels (FR-6). */
const paintEveryMs = 100;
/** -60 dB is an empty meter and 0 dB a full one, because hearing is logarithmic. */
const floorDb = -60;
/** A step of 3 dB can just be seen, and the noise of a quiet room stays within one. */
const steps = 20;

/** Paints the highest level since the last time, if it looks different. Until the returned function is called. */
export function paceLevel(
  level: Store<number>,
  clock: Pick<Clock, "now" | "setTimer">,
  paint: (fraction: number) => void,
): () => void {
  let painted = toFraction(level.get());
  let peak = 0;
  let cancel: CancelTimer | undefined;
  const paintPeak = (): void => {
    cancel = undefined;
    const fraction = toFraction(peak);
    if (fraction !== painted) paint(fraction);
    painted = fraction;
    peak = level.get();
    if (toFraction(peak) !== painted) paintLater();
  };
  // All meters of a page at the same time, so that they share a frame.
  const paintLater = (): void => {
    cancel ??= clock.setTimer(paintEveryMs - (clock.now() % paintEveryMs), paintPeak);
  };
  paint(painted);
  const unsubscribe = level.subscribe(() => {
    peak = Math.max(peak, level.get());
    if (toFraction(peak) !== painted || toFraction(level.get()) !== painted) paintLater();
  });
  return () => {
    unsubscribe();
    cancel?.();
  };
}

function toFraction(level: number): number {
  if (level <= 0) return 0;
  const fraction = Math.max(0, Math.min(1, 1 - (20 * Math.log10(level)) / floorDb));
  return Math.round(fraction * steps) / steps;
}
