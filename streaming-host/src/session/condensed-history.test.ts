import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { describe, expect, it } from "vitest";
import { CondensedHistory } from "./condensed-history.ts";

const budget = { maxTokens: 100, keepTurns: 2 };

function turns(count: number, from = 1): HistoryItem[] {
  return Array.from({ length: count }, (_item, index) => index + from).flatMap((turn): HistoryItem[] => {
    const common = { agent: "desk", turnId: `turn-${turn}`, timestampMs: turn, interrupted: false };
    return [
      { ...common, role: "user", content: `question number ${turn} about something` },
      { ...common, role: "assistant", content: `answer number ${turn} with several words in it` },
    ];
  });
}

describe("condensed history", () => {
  it("leaves a short history as it is", () => {
    const known = turns(2);
    expect(new CondensedHistory(budget).read(known)).toEqual(known);
  });

  it("puts a summary in front of what is kept", () => {
    const [note, ...kept] = new CondensedHistory(budget).read(turns(20));
    expect(note).toMatchObject({ role: "system" });
    expect(note?.content).toContain("question number 1 ");
    expect(kept.length).toBeGreaterThanOrEqual(4);
    expect(kept.at(-1)?.content).toContain("answer number 20");
  });

  it("keeps its cut until the budget is used up again", () => {
    const history = new CondensedHistory(budget);
    const known = turns(20);
    const [before] = history.read(known);
    known.push(...turns(1, 21));
    expect(history.read(known)[0]).toEqual(before);
  });

  it("begins anew for an agent that knows nothing of what was before", () => {
    const history = new CondensedHistory(budget);
    history.read(turns(20));
    const fresh = turns(1, 30);
    expect(history.read(fresh)).toEqual(fresh);
  });
});
