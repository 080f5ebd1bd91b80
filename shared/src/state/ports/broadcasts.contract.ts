import { describe, expect, it } from "vitest";
import { opened, until, type OpenState } from "./harness.contract.ts";

export function describeBroadcasts(open: OpenState): void {
  describe("broadcasts", () => {
    it("reach everybody who listens to the topic, in order, and nobody else", async () => {
      const harness = await opened(open);
      const { broadcasts } = harness.state;
      const first: string[] = [];
      const second: string[] = [];
      const other: string[] = [];
      broadcasts.send("a", "before anybody listens");
      await broadcasts.listen("a", (text) => first.push(text));
      await broadcasts.listen("a", (text) => second.push(text));
      await broadcasts.listen("b", (text) => other.push(text));
      for (const text of ["1", "2", "3"]) broadcasts.send("a", text);
      broadcasts.send("b", "4");
      await until(harness, () => other.length + first.length + second.length === 7, "all of it arrives");
      expect([first, second, other]).toEqual([["1", "2", "3"], ["1", "2", "3"], ["4"]]);
    });

    it("reach nobody who has stopped listening, and the others all the same", async () => {
      const harness = await opened(open);
      const { broadcasts } = harness.state;
      const seen: string[] = [];
      const stop = await broadcasts.listen("a", (text) => seen.push(`first ${text}`));
      await broadcasts.listen("a", (text) => seen.push(`second ${text}`));
      stop();
      stop();
      broadcasts.send("a", "1");
      await until(harness, () => seen.length > 0, "it arrives");
      expect(seen).toEqual(["second 1"]);
    });

    it("reach the others when one listener fails", async () => {
      const harness = await opened(open);
      const { broadcasts } = harness.state;
      const seen: string[] = [];
      await broadcasts.listen("a", () => {
        throw new Error("a broken listener");
      });
      await broadcasts.listen("a", (text) => seen.push(text));
      broadcasts.send("a", "1");
      await until(harness, () => seen.length === 1, "it arrives");
      expect(seen).toEqual(["1"]);
    });
  });
}
