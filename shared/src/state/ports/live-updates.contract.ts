import { describe, expect, it } from "vitest";
import type { LiveUpdate } from "./live-updates.ts";
import { opened, until, type OpenState } from "./harness.contract.ts";

export function describeLiveUpdates(open: OpenState): void {
  describe("live updates", () => {
    it("reach who watches the session and who watches everything, in order per session, and nobody else", async () => {
      const harness = await opened(open);
      const { liveUpdates } = harness.state;
      const one: string[] = [];
      const all: string[] = [];
      await liveUpdates.watch({ sessionId: "s-1" }, ({ text }) => one.push(text));
      await liveUpdates.watch("all", ({ sessionId, text }) => all.push(`${sessionId}:${text}`));
      for (const text of ["a", "b", "c"]) liveUpdates.publish({ sessionId: "s-1", text });
      liveUpdates.publish({ sessionId: "s-2", text: "d" });
      await until(harness, () => all.length === 4, "four updates arrive");
      expect(one).toEqual(["a", "b", "c"]);
      expect(all.filter((update) => update.startsWith("s-1"))).toEqual(["s-1:a", "s-1:b", "s-1:c"]);
      expect(all).toContain("s-2:d");
      expect(liveUpdates.droppedCount).toBe(0);
    });

    it("stop for the watcher who stops and go on for the others", async () => {
      const harness = await opened(open);
      const { liveUpdates } = harness.state;
      const seen: string[] = [];
      const stopFirst = await liveUpdates.watch({ sessionId: "s-1" }, ({ text }) => seen.push(`first ${text}`));
      await liveUpdates.watch({ sessionId: "s-1" }, ({ text }) => seen.push(`second ${text}`));
      liveUpdates.publish({ sessionId: "s-1", text: "1" });
      await until(harness, () => seen.length === 2, "both see the first update");
      await stopFirst();
      await stopFirst();
      liveUpdates.publish({ sessionId: "s-1", text: "2" });
      await until(harness, () => seen.length === 3, "one sees the second update");
      expect(seen[2]).toBe("second 2");
    });

    it("come back for a session that is watched again", async () => {
      const harness = await opened(open);
      const { liveUpdates } = harness.state;
      const seen: string[] = [];
      for (const round of ["1", "2", "3"]) {
        const stop = await liveUpdates.watch({ sessionId: "s-1" }, ({ text }) => seen.push(text));
        liveUpdates.publish({ sessionId: "s-1", text: round });
        await until(harness, () => seen.at(-1) === round, "the update arrives");
        await stop();
      }
      expect(seen).toEqual(["1", "2", "3"]);
    });

    it("reach the others when one watcher fails, and the publisher does not notice", async () => {
      const harness = await opened(open);
      const { liveUpdates } = harness.state;
      const seen: string[] = [];
      await liveUpdates.watch({ sessionId: "s-1" }, () => {
        throw new Error("a broken dashboard");
      });
      await liveUpdates.watch({ sessionId: "s-1" }, ({ text }) => seen.push(text));
      liveUpdates.publish({ sessionId: "s-1", text: "1" });
      liveUpdates.publish({ sessionId: "s-1", text: "2" });
      await until(harness, () => seen.length === 2, "both updates arrive");
      expect(seen).toEqual(["1", "2"]);
    });

    it("survive a watcher that stops while another begins", async () => {
      const harness = await opened(open);
      const { liveUpdates } = harness.state;
      const seen: string[] = [];
      const stop = await liveUpdates.watch({ sessionId: "s-1" }, () => undefined);
      const stopping = stop();
      await liveUpdates.watch({ sessionId: "s-1" }, ({ text }) => seen.push(text));
      await stopping;
      liveUpdates.publish({ sessionId: "s-1", text: "x" });
      await until(harness, () => seen.length === 1, "the update arrives");
      expect(seen).toEqual(["x"]);
    });

    it("are known to be watched or not, from what became of earlier ones", async () => {
      const harness = await opened(open);
      const { liveUpdates } = harness.state;
      const watched = (expected: boolean) => () => {
        liveUpdates.publish({ sessionId: "s-1", text: "x" });
        return liveUpdates.isWatched("s-1") === expected;
      };
      await until(harness, watched(false), "it is known that nobody watches");
      const stop = await liveUpdates.watch({ sessionId: "s-1" }, () => undefined);
      await until(harness, watched(true), "it is known that somebody watches");
      await stop();
      await until(harness, watched(false), "it is known that nobody watches any more");
      await liveUpdates.watch("all", () => undefined);
      await until(harness, watched(true), "it is known that somebody watches everything");
      expect(liveUpdates.isWatched("s-1")).toBe(true);
    });

    it("say whose session they are about", async () => {
      const harness = await opened(open);
      const { liveUpdates } = harness.state;
      const seen: LiveUpdate[] = [];
      await liveUpdates.watch({ sessionId: "s-1" }, (update) => seen.push(update));
      const updates = [
        { sessionId: "s-1", owner: "alice of \u{1F600} & sons", text: "a\nb c" },
        { sessionId: "s-1", text: "d" },
      ];
      for (const update of updates) liveUpdates.publish(update);
      await until(harness, () => seen.length === 2, "both updates arrive");
      expect(seen).toEqual(updates);
    });
  });
}
