import { describe, expect, it } from "vitest";
import { TurnTimeline } from "./turn-timeline.ts";

function toolsIn(timeline: TurnTimeline): unknown[] {
  return timeline.activities.all.map(({ name, attributes }) => [name, attributes["gen_ai.tool.name"]]);
}

describe("the tools on a turn's timeline", () => {
  it("have no name that a model made up, which may be anything a caller said, and another one each time", () => {
    const timeline = new TurnTimeline();
    const ran = { status: "error", durationMs: 5 } as const;
    const notThere = { success: false, error: "unknown_tool", message: "There is no such tool." };
    timeline.addTools(
      [
        { ...ran, call: { id: "1", name: "look_up" }, result: { success: false, error: "timeout" } },
        { ...ran, call: { id: "2", name: "call_pat_at_12025550123" }, result: notThere },
      ],
      1000,
    );
    expect(toolsIn(timeline)).toEqual([
      ["execute_tool look_up", "look_up"],
      ["execute_tool unknown", "unknown"],
    ]);
  });
});
