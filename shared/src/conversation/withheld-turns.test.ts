import { describe, expect, it } from "vitest";
import type { HistoryItem } from "../state/ports/session-store.ts";
import { withheldItem, withoutWithheldTurns } from "./withheld-turns.ts";

const at = (turnId: string) => ({ agent: "desk", turnId, timestampMs: 0, interrupted: false });
const said = (turnId: string, role: HistoryItem["role"], content: string): HistoryItem => ({
  ...at(turnId),
  role,
  content,
});

describe("words that a content filter refused", () => {
  it("[MODEL-2] are removed from the history that models see, together with the tool calls of their turn; other turns stay as they are", () => {
    const earlier = [said("turn-1", "user", "hello"), said("turn-1", "assistant", "Good morning.")];
    const call = { ...said("turn-2", "assistant", ""), toolCalls: [{ id: "1", name: "look_up", argumentsJson: "{}" }] };
    const refused = [said("turn-2", "user", "something bad"), call, said("turn-2", "tool", "{}")];
    const remark = withheldItem(at("turn-2"));
    const reply = said("turn-2", "assistant", "I cannot help with that.");
    expect(withoutWithheldTurns([...earlier, ...refused, remark, reply])).toEqual([...earlier, remark, reply]);
    expect(withoutWithheldTurns(earlier)).toBe(earlier);
  });
});
