import type { Clock } from "../../platform/clock.ts";
import { hourMs } from "../../platform/day.ts";
import { countedLifeMs, countsLifeMs, hoursIn, maxNamesPerHour } from "../ports/hourly-counts.ts";
import type { Contribution, CountedHour, HourlyCounts } from "../ports/hourly-counts.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryHourlyCounts implements HourlyCounts {
  readonly #hours: ExpiringMap<Map<string, number>>;
  readonly #counted: ExpiringMap<true>;

  constructor(clock: Clock) {
    this.#hours = new ExpiringMap(clock);
    this.#counted = new ExpiringMap(clock);
  }

  async add({ id, atMs, counts, tenant }: Contribution): Promise<boolean> {
    if (this.#counted.get(id) !== undefined) return false;
    this.#counted.set(id, true, countedLifeMs);
    const key = hourOf(Math.floor(atMs / hourMs), tenant);
    const hour = this.#hours.get(key) ?? new Map<string, number>();
    for (const [name, count] of Object.entries(counts))
      if (hour.has(name) || hour.size < maxNamesPerHour) hour.set(name, (hour.get(name) ?? 0) + count);
    this.#hours.set(key, hour, countsLifeMs);
    return true;
  }

  async read(fromMs: number, beforeMs: number, tenant?: string): Promise<readonly CountedHour[]> {
    return hoursIn(fromMs, beforeMs).flatMap((number) => {
      const hour = this.#hours.get(hourOf(number, tenant));
      return hour === undefined ? [] : [{ startMs: number * hourMs, counts: Object.fromEntries(hour) }];
    });
  }
}

function hourOf(number: number, tenant: string | undefined): string {
  return tenant === undefined ? String(number) : `${tenant} ${number}`;
}
