import { describe, expect, it } from "vitest";
import { opened, type OpenState } from "./harness.contract.ts";

export function describeReleaseStore(open: OpenState): void {
  describe("release store", () => {
    it("[PUBLISH-5] keeps every version, and lets only one of two people publish at the same time", async () => {
      const { releases } = (await opened(open)).state;
      const before = await releases.live();
      expect(before).toEqual({ live: [{ version: 0, share: 100 }], newest: 0, revision: 0 });
      const draft = { author: "ada", note: "one", agents: { desk: { name: "desk" } }, scenarios: {} };
      const first = await releases.add(draft, before);
      await expect(releases.add({ ...draft, note: "two" }, before)).rejects.toMatchObject({ code: "conflict" });
      const after = await releases.setLive([{ version: 1, share: 100 }], before);
      await expect(releases.setLive([], before)).rejects.toMatchObject({ code: "conflict" });
      expect(await releases.live()).toEqual(after);
      expect(await releases.get(1)).toEqual(first);
      expect(await releases.get(2)).toBeUndefined();
      const routes = [{ channel: "phone", scenario: "desk" }];
      const second = await releases.add({ ...draft, note: "two", routes }, after);
      expect(second).toMatchObject({ version: 2, note: "two" });
      expect(await releases.get(2)).toEqual(second);
    });

    it("publishes the next version although somebody did not finish publishing", async () => {
      const { releases } = (await opened(open)).state;
      const draft = { author: "ada", note: "one", agents: {}, scenarios: {} };
      await releases.add(draft, await releases.live());
      const now = await releases.live();
      expect(now).toMatchObject({ live: [{ version: 0, share: 100 }], newest: 1 });
      const next = await releases.add({ ...draft, note: "two" }, now);
      expect(await releases.setLive([{ version: next.version, share: 100 }], now)).toMatchObject({
        live: [{ version: 2, share: 100 }],
        newest: 2,
      });
    });
  });
}
