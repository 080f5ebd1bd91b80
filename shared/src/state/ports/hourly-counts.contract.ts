import { describe, expect, it } from "vitest";
import { opened, type OpenState } from "./harness.contract.ts";
import { hourMs } from "../../platform/day.ts";

export function describeHourlyCounts(open: OpenState): void {
  describe("hourly counts", () => {
    const startMs = Math.floor(Date.parse("2026-03-21T09:30:00Z") / hourMs) * hourMs;

    it("[OVERVIEW-1] add up by the hour, in whole numbers and in parts", async () => {
      const { state } = await opened(open);
      const { hourlyCounts: counts } = state;
      await counts.add({ id: "a", atMs: startMs + 5, counts: { conversations: 1, "cost:USD": 0.25 } });
      await counts.add({
        id: "b",
        atMs: startMs + hourMs - 1,
        counts: { conversations: 1, "cost:USD": 0.5, "tool:x": 2 },
      });
      await counts.add({ id: "c", atMs: startMs + 3 * hourMs, counts: { conversations: 1 } });
      expect(await counts.read(startMs, startMs + 24 * hourMs)).toEqual([
        { startMs, counts: { conversations: 2, "cost:USD": 0.75, "tool:x": 2 } },
        { startMs: startMs + 3 * hourMs, counts: { conversations: 1 } },
      ]);
      expect(await counts.read(startMs + 1, startMs + 3 * hourMs)).toEqual([]);
    });

    it("[OVERVIEW-1] count nothing twice, however many add it at once", async () => {
      const { state } = await opened(open);
      const same = { id: "a", atMs: startMs, counts: { conversations: 1 } };
      const added = await Promise.all([1, 2, 3].map(() => state.hourlyCounts.add(same)));
      expect(added.filter(Boolean)).toHaveLength(1);
      expect(await state.hourlyCounts.read(startMs, startMs + hourMs)).toEqual([
        { startMs, counts: { conversations: 1 } },
      ]);
    });

    it("[TENANT-6] keep a tenant's counts apart from those of all", async () => {
      const { hourlyCounts: counts } = (await opened(open)).state;
      await counts.add({ id: "a", atMs: startMs, counts: { conversations: 1 } });
      await counts.add({ id: "a of acme", atMs: startMs, counts: { conversations: 1 }, tenant: "acme" });
      expect(await counts.read(startMs, startMs + hourMs)).toEqual([{ startMs, counts: { conversations: 1 } }]);
      expect(await counts.read(startMs, startMs + hourMs, "acme")).toEqual([{ startMs, counts: { conversations: 1 } }]);
      expect(await counts.read(startMs, startMs + hourMs, "globex")).toEqual([]);
    });

    it("[OVERVIEW-2] have a bounded number of names in each hour", async () => {
      const { state } = await opened(open);
      // The seventh has more than there is room for.
      for (let part = 0; part < 7; part++) {
        const names = Array.from({ length: 300 }, (_, index) => [`name:${part * 300 + index}`, 1] as const);
        await state.hourlyCounts.add({ id: `part-${part}`, atMs: startMs, counts: Object.fromEntries(names) });
      }
      await state.hourlyCounts.add({ id: "again", atMs: startMs, counts: { "name:0": 1 } });
      const [hour] = await state.hourlyCounts.read(startMs, startMs + hourMs);
      expect(Object.keys(hour?.counts ?? {})).toHaveLength(2000);
      expect(hour?.counts["name:0"]).toBe(2);
    });
  });
}
