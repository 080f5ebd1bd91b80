import { describe, expect, it } from "vitest";
import { inOrder, insertInOrder } from "./history-order.ts";
import type { HistoryItem } from "./ports/session-store.ts";

function item(content: string, begunAtMs?: number, more: Partial<HistoryItem> = {}): HistoryItem {
  const place = begunAtMs === undefined ? {} : { begunAtMs };
  return {
    role: "user",
    content,
    agent: "desk",
    turnId: content,
    timestampMs: 0,
    interrupted: false,
    ...place,
    ...more,
  };
}

const texts = (history: readonly HistoryItem[]): string => history.map(({ content }) => content).join(" ");

describe("the order of a history", () => {
  it.each([
    ["an answer and then its question", [item("answer", 2), item("question", 1)], "question answer"],
    ["two questions the wrong way round", [item("b", 3), item("answer", 4), item("a", 1)], "a b answer"],
    [
      "what shares a turn",
      [item("call", 2), item("result", 2), item("question", 1), item("words", 2)],
      "question call result words",
    ],
    ["what came in order", [item("a", 1), item("b", 2), item("c", 3)], "a b c"],
  ])("[HIST-6] is that of the beginnings, for %s", (_what, log, expected) => {
    expect(texts(inOrder(log))).toBe(expected);
  });

  it("[HIST-6] leaves what an older version has stored in the order of storage, and nothing goes before it", () => {
    expect(texts(inOrder([item("c"), item("b"), item("answer", 2), item("question", 1)]))).toBe("c b question answer");
    expect(texts(inOrder([item("answer", 5), item("old"), item("late", 1)]))).toBe("answer old late");
  });

  it("[TAKE-2b] has words that an older version has stored after the tools of their turn before these, because they asked for them", () => {
    const ofTurn = { turnId: "turn-2" };
    const call = item("call", undefined, { ...ofTurn, role: "assistant", toolCalls: [] });
    const result = item("result", undefined, { ...ofTurn, role: "tool" });
    expect(texts(inOrder([item("before"), call, result, item("words", undefined, ofTurn)]))).toBe(
      "before words call result",
    );
    expect(texts(inOrder([call, result, item("words of the next turn")]))).toBe("call result words of the next turn");
  });

  it("tells where an item was put", () => {
    const history = [item("a", 1), item("c", 3)];
    expect([insertInOrder(history, item("b", 2)), insertInOrder(history, item("d", 4))]).toEqual([1, 3]);
  });
});
