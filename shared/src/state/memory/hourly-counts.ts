import type { Clock } from "../../platform/clock.ts";
import { hourMs } from "../../platform/day.ts";
import { countedLifeMs, countsLifeMs, hoursIn, maxNamesPerHour, type HourlyCounts } from "../ports/hourly-counts.ts";
import { ExpiringMap } from "./expiring-map.ts";

export function createMemoryHourlyCounts(clock: Clock): HourlyCounts {
  const hours = new ExpiringMap<Map<string, number>>(clock);
  const counted = new ExpiringMap<true>(clock);
  return {
    async add({ id, atMs, counts, tenant }) {
      if (counted.has(id)) return false;
      counted.set(id, true, countedLifeMs);
      const key = hourOf(Math.floor(atMs / hourMs), tenant);
      const hour = hours.get(key) ?? new Map<string, number>();
      for (const [name, count] of Object.entries(counts))
        if (hour.has(name) || hour.size < maxNamesPerHour) hour.set(name, (hour.get(name) ?? 0) + count);
      hours.set(key, hour, countsLifeMs);
      return true;
    },
    read: async (fromMs, beforeMs, tenant) =>
      hoursIn(fromMs, beforeMs).flatMap((number) => {
        const hour = hours.get(hourOf(number, tenant));
        return hour === undefined ? [] : [{ startMs: number * hourMs, counts: Object.fromEntries(hour) }];
      }),
  };
}

function hourOf(number: number, tenant: string | undefined): string {
  return tenant === undefined ? String(number) : `${tenant} ${number}`;
}
