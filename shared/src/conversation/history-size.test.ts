import { describe, expect, it } from "vitest";
import { loadSettings } from "../config/load.ts";
import type { HistoryItem } from "../state/ports/session-store.ts";
import { historySize } from "./history-size.ts";

function item(role: HistoryItem["role"], content: string): HistoryItem {
  return { role, content, agent: "BankingConcierge", turnId: "turn-1234", timestampMs: 1e12, interrupted: false };
}

describe("the size of a history", () => {
  it("counts words, what a tool was asked, and what the store keeps of each item beside them", () => {
    const call = { id: "call-1", name: "look_up", argumentsJson: '{"name":"x"}' };
    expect(historySize([])).toBe(0);
    expect(historySize([item("user", "hello")])).toBe(305);
    expect(historySize([{ ...item("assistant", ""), toolCalls: [call] }])).toBe(300 + JSON.stringify([call]).length);
  });

  it("[FR-8a] of a call of four hours with a turn every five seconds, and a tool in every third, is within the limit", () => {
    const spoken = "x".repeat(5 * 15); // 15 characters a second
    const call = { id: "call-1", name: "look_up", argumentsJson: '{"name":"x"}' };
    const turns = (4 * 3600) / 5;
    const history = Array.from({ length: turns }, (_, turn) => [
      item("user", spoken),
      ...(turn % 3 === 0 ? [{ ...item("assistant", ""), toolCalls: [call] }, item("tool", "x".repeat(2000))] : []),
      item("assistant", spoken),
    ]).flat();
    expect(historySize(history)).toBeLessThan(loadSettings({}).maxSessionHistory * 0.7);
  });
});
