import { useEffect, useRef } from "react";

import { systemClock } from "@voice/shared/platform/clock";
import type { Store } from "@voice/client-kit/store";
import { paceLevel } from "./pace-level.ts";

interface LevelMeterProps {
  readonly label: string;
  readonly level: Store<number>;
}

/** Updates the element without React, and without a transition, which would be sixty frames a second. */
export function LevelMeter({ label, level }: LevelMeterProps) {
  const bar = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      paceLevel(level, systemClock, (fraction) => bar.current?.style.setProperty("transform", `scaleX(${fraction})`)),
    [level],
  );
  return (
    <div className="meter">
      <span>{label}</span>
      <span className="meter-track" aria-hidden="true">
        <span className="meter-bar" ref={bar} />
      </span>
    </div>
  );
}
