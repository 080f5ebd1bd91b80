import { expect, it } from "vitest";
import { historyItem } from "./session-store.ts";

it("reads a history in which a newer version has noted an effect that this one does not know", () => {
  const stored = { role: "tool", content: "{}", agent: "desk", turnId: "turn-1", timestampMs: 1, interrupted: false };
  const hold = { type: "hold", seconds: 5 };
  const read = historyItem.parse({ ...stored, effects: [{ type: "whistle", tune: "a" }, hold] });
  expect(read.effects).toEqual([hold]);
});
