/**
 * Counts the time of a phone call, which is charged by the second. It counts from the time when the call was connected, minus what is
 * already stored, so the seconds between two hosts are not lost (COST-7).
 */
import { usageEntries } from "@voice/shared/costs/usage";
import type { Usage } from "@voice/shared/costs/usage";
import type { UsageMeter } from "./usage-meter.ts";

export interface BilledCall {
  readonly direction: "inbound" | "outbound";
  readonly connectedAtMs: number;
}

export function countCallTime(
  { direction, connectedAtMs }: BilledCall,
  storedUsage: Usage,
  wallNow: () => number,
  meter: UsageMeter,
): void {
  let counted = usageEntries(storedUsage).reduce((sum, { quantities }) => sum + (quantities.call_seconds ?? 0), 0);
  meter.addContinuous(() => {
    const seconds = (wallNow() - connectedAtMs) / 1000 - counted;
    if (seconds <= 0) return;
    counted += seconds;
    meter.add({ part: "telephony", model: `phone-${direction}`, quantities: { call_seconds: seconds } });
  });
}
