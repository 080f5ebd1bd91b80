import { describe, expect, it } from "vitest";
import { readReply } from "../person/reply.ts";
import type { HeldDialogue } from "./hold-dialogue.ts";
import { paceLine, styleTotals, transcriptLines } from "./result-table.ts";

const reply = readReply([], 0);
const held = (file: string, passed: boolean): HeldDialogue => ({
  dialogue: { file, name: "one", scenario: "default", greetingHas: [], steps: [] },
  steps: [],
  passed,
});

describe("what is printed about dialogues", () => {
  it("counts those that went as written, for each file and for each way of speaking", () => {
    const all = [
      [held("scenarios/a.dialogue.yaml", true), held("scenarios/a.dialogue.yaml", false)],
      [held("scenarios/a.dialogue.yaml", true), held("scenarios/a.dialogue.yaml", true)],
      [held("scenarios/b.dialogue.yaml", false), held("scenarios/b.dialogue.yaml", false)],
    ];
    expect(styleTotals(all, 12, ["rms", "noise"])).toEqual([
      "a                2/2     1/2",
      "b                0/1     0/1",
      "as written       2/3     1/3",
    ]);
    expect(styleTotals(all.slice(0, 1), 12, ["rms", "noise"])).toEqual(["as written       1/1     0/1"]);
  });

  it("shows what was said on both sides, and what was heard where that differs", () => {
    const says = [{ agent: "desk", text: "Good", turnId: "turn-1", interrupted: true }];
    const steps = [
      { action: { kind: "say", text: "Check my … savings" }, reply: { ...reply, heardText: "check my savings", says } },
      { action: { kind: "say", text: "hi" }, reply: { ...reply, heardText: "five" } },
      { action: { kind: "cough" }, reply },
    ] as const;
    const dialogue = { ...held("a", true), steps: steps.map((step) => ({ ...step, deviations: [] })) };
    expect(transcriptLines(dialogue)).toEqual([
      '    caller: "Check my … savings"',
      "    desk: Good –",
      '    caller: "hi" (heard: "five")',
      "    caller: a cough",
    ]);
  });

  it("says how much faster than real time the calls were", () => {
    expect(paceLine(21, 575_000, 32_000)).toBe("21 calls of 575 s altogether in 32 s: 18 times as fast as real time");
  });
});
