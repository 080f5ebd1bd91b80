import { useEffect, useState } from "react";

/** The time, to the second, while it is needed. */
export function useSecond(isNeeded: boolean): number | undefined {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (!isNeeded) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isNeeded]);
  return isNeeded ? nowMs : undefined;
}
