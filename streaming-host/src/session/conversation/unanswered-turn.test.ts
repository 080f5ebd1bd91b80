import { inOrder } from "@voice/shared/state/history-order";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { withdrawnItem } from "@voice/shared/conversation/withdrawn-effects";
import { expect, it } from "vitest";
import { requestedEffects } from "../../pipeline/requested-effects.ts";
import { unansweredTurn } from "./unanswered-turn.ts";

function item(role: HistoryItem["role"], content: string, more: Partial<HistoryItem> = {}): HistoryItem {
  return { role, content, agent: "desk", turnId: "turn-1", timestampMs: 0, interrupted: false, ...more };
}

it("[FAIL-6d] finds the caller's last words and the tools that ran for them, and forgets what was half said", () => {
  const greeting = item("assistant", "Hello.");
  const words = item("user", "my balance");
  const call = item("assistant", "", { toolCalls: [{ id: "call-1", name: "get_balance", argumentsJson: "{}" }] });
  const result = item("tool", "10", { toolCallId: "call-1", toolName: "get_balance" });
  const halfSaid = item("assistant", "You have", { interrupted: true });
  expect(unansweredTurn([greeting, words, call, result, halfSaid])).toEqual({
    userText: "my balance",
    history: [greeting],
    since: [call, result],
  });
});

it("[FAIL-6d] finds nothing where only the agent has spoken", () => {
  expect(unansweredTurn([item("assistant", "Hello.")])).toBeUndefined();
});

it("[FAIL-6d] finds the tools that ran for them also where an older version has stored the words after the tools", () => {
  const before = item("assistant", "", { turnId: "turn-0", toolCalls: [{ id: "c", name: "x", argumentsJson: "{}" }] });
  const call = item("assistant", "", { toolCalls: [{ id: "call-1", name: "get_balance", argumentsJson: "{}" }] });
  const result = item("tool", "10", { toolCallId: "call-1", toolName: "get_balance" });
  expect(unansweredTurn(inOrder([before, call, result, item("user", "my balance")]))).toEqual({
    userText: "my balance",
    history: [before],
    since: [call, result],
  });
});

it("[EFFECT-2c] the next session does not carry out what was taken back because the caller spoke while the tool ran", () => {
  const late = { toolCallId: "call-1", toolName: "transfer" };
  const history = [
    item("user", "a person please"),
    item("user", "what about my card", { turnId: "turn-2" }),
    item("assistant", "", { toolCalls: [{ id: "call-1", name: "transfer", argumentsJson: "{}" }] }),
    item("tool", '{"success":true}', { ...late, effects: [{ type: "transfer", target: "person", reason: "wanted" }] }),
    withdrawnItem("call-1", "talked_over", { agent: "desk", turnId: "turn-1", timestampMs: 0 }),
  ];
  const since = unansweredTurn(history)?.since ?? [];
  expect(requestedEffects(since)).toEqual([]);
  expect(since.at(-1)?.content).toContain("talked_over");
});
