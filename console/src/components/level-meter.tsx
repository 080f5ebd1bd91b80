import { useEffect, useRef } from "react";

import type { Store } from "../store.ts";

/** -60 dB is an empty meter and 0 dB a full one, because hearing is logarithmic. */
const floorDb = -60;

interface LevelMeterProps {
  readonly label: string;
  readonly level: Store<number>;
}

/** Updates the element without React, because fifty renders a second for one bar would be wasteful. */
export function LevelMeter({ label, level }: LevelMeterProps) {
  const bar = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const paint = (): void => bar.current?.style.setProperty("--level", String(toFraction(level.get())));
    paint();
    return level.subscribe(paint);
  }, [level]);
  return (
    <div className="meter">
      <span>{label}</span>
      <span className="meter-track" aria-hidden="true">
        <span className="meter-bar" ref={bar} />
      </span>
    </div>
  );
}

function toFraction(level: number): number {
  if (level <= 0) return 0;
  return Math.max(0, Math.min(1, 1 - (20 * Math.log10(level)) / floorDb));
}
