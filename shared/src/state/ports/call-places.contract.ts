import { describe, expect, it } from "vitest";
import { opened, type OpenState } from "./harness.contract.ts";

export function describeCallPlaces(open: OpenState): void {
  describe("call places", () => {
    it("[FULL-2a] reserves no more places than are free, however many calls ask at the same instant", async () => {
      const { state } = await opened(open);
      const kept = await Promise.all(
        Array.from({ length: 10 }, (_none, index) => state.callPlaces.keep(`call-${index}`, { free: 4, forMs: 5000 })),
      );
      expect(kept.filter(Boolean)).toHaveLength(4);
      expect(await state.callPlaces.kept()).toBe(4);
    });

    it("keeps one place for one call, however often it is asked", async () => {
      const { state } = await opened(open);
      for (let times = 0; times < 3; times++)
        expect(await state.callPlaces.keep("call-1", { free: 1, forMs: 5000 })).toBe(true);
      expect(await state.callPlaces.keep("call-2", { free: 1, forMs: 5000 })).toBe(false);
      // It has its place, also when conversations have taken all others meanwhile.
      expect(await state.callPlaces.keep("call-1", { free: 0, forMs: 5000 })).toBe(true);
    });

    it("[FULL-2b] [FULL-2c] gives a place back when its time is over, or when that is said", async () => {
      const { state, elapse, lasting } = await opened(open);
      await state.callPlaces.keep("call-1", { free: 1, forMs: lasting(200) });
      await elapse(250);
      expect(await state.callPlaces.keep("call-2", { free: 1, forMs: 60_000 })).toBe(true);
      await state.callPlaces.giveBack("call-2", lasting(1000));
      await state.callPlaces.giveBack("call-2", 60_000); // later than it was said before: without effect
      expect(await state.callPlaces.kept()).toBe(1);
      await elapse(1050);
      expect(await state.callPlaces.kept()).toBe(0);
      await state.callPlaces.giveBack("call-3", 1000);
      expect(await state.callPlaces.kept()).toBe(0);
    });

    it("counts without a limit where nobody says how many there are", async () => {
      const { state } = await opened(open);
      expect(await state.callPlaces.keep("call-1", { free: Number.POSITIVE_INFINITY, forMs: 1000 })).toBe(true);
    });
  });
}
