import { expect, it } from "vitest";
import type { HistoryItem } from "./ports/session-store.ts";
import { compactHistory } from "./compact-history.ts";

it("keeps every field of every item", () => {
  const said: HistoryItem = {
    role: "user",
    content: "What is my balance?",
    agent: "concierge",
    turnId: "turn-1",
    timestampMs: 1,
    interrupted: false,
  };
  const history: HistoryItem[] = [
    said,
    {
      ...said,
      role: "assistant",
      content: "",
      cut: "length",
      guardrails: ["numbers"],
      promptVersion: "b",
      toolCalls: [{ id: "call-1", name: "get_balance", argumentsJson: "{}" }],
      preamble: "One moment.",
    },
    { ...said, role: "tool", content: "{}", toolCallId: "call-1", toolName: "get_balance", effects: [] },
    { ...said, role: "system", interrupted: true, turnId: "turn-2", timestampMs: 2 },
  ];
  const compact = compactHistory(structuredClone(history));
  expect(compact).toEqual(history);
  expect(compact.map((item) => Object.keys(item).toSorted())).toEqual(
    history.map((item) => Object.keys(item).toSorted()),
  );
});
