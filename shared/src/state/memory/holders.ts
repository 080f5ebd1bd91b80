import type { Clock } from "../../platform/clock.ts";
import type { Holders } from "../ports/holders.ts";

export function createMemoryHolders(clock: Clock): Holders {
  /** By key, the time until which each holder has it. */
  const all = new Map<string, Map<string, number>>();
  const heldNow = (key: string): Map<string, number> => {
    const held = all.get(key) ?? new Map<string, number>();
    const nowMs = clock.wallNow();
    for (const [holder, untilMs] of held) if (untilMs <= nowMs) held.delete(holder);
    return held;
  };
  return {
    async hold(key, holder, { limit, forMs }) {
      const held = heldNow(key);
      if (!held.has(holder) && held.size >= limit) return false;
      all.set(key, held.set(holder, clock.wallNow() + forMs));
      return true;
    },
    async shorten(key, holder, toMs) {
      const held = heldNow(key);
      const untilMs = held.get(holder);
      if (untilMs !== undefined) held.set(holder, Math.min(untilMs, clock.wallNow() + toMs));
    },
    of: async (key) => [...heldNow(key).keys()],
    async release(key, holders) {
      const held = heldNow(key);
      for (const holder of holders) held.delete(holder);
      if (held.size === 0) all.delete(key);
    },
  };
}
