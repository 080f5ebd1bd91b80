import { describe, expect, it } from "vitest";

import { toWaterfall } from "./latency-stages.ts";

const shape = (marks: Record<string, number>): string[] =>
  toWaterfall(marks).stages.map(({ key, startMs, durationMs }) => `${key} ${startMs}+${durationMs}`);

const turn = {
  recognised_ms: 480,
  end_of_turn_ms: 500,
  model_first_token_ms: 620,
  first_clause_ms: 700,
  synthesis_first_audio_ms: 740,
  first_audio_ms: 742,
};

describe("the latency waterfall", () => {
  it("cuts the wait at the moments of the turn", () => {
    expect(shape(turn)).toEqual(["turn 0+500", "model 500+120", "clause 620+80", "synthesis 700+40", "playout 740+2"]);
    expect(toWaterfall(turn)).toMatchObject({ totalMs: 742, isHeard: true });
  });

  it("takes the tools out of the time before the first clause", () => {
    expect(shape({ ...turn, tools_ms: 50 }).slice(1, 4)).toEqual(["model 500+120", "tools 620+50", "clause 670+30"]);
  });

  it("[TIMELINE-8] blames recognition for what the turn waited only for its words", () => {
    const late = { wait_ms: 176, recognised_ms: 3240, end_of_turn_ms: 3241, first_audio_ms: 3300 };
    expect(shape(late)).toEqual(["turn 0+177", "recognition 177+3064", "playout 3241+59"]);
    expect(shape({ ...late, recognised_ms: 5000 })).toEqual(["turn 0+176", "recognition 176+3065", "playout 3241+59"]);
    const inTime = { wait_ms: 500, recognised_ms: 480, end_of_turn_ms: 500, first_audio_ms: 510 };
    expect(shape(inTime)).toEqual(["turn 0+500", "playout 500+10"]);
  });

  it("never makes tools longer than the wait they were part of", () => {
    expect(shape({ ...turn, tools_ms: 5000 }).slice(1, 4)).toEqual([
      "model 500+120",
      "tools 620+80",
      "synthesis 700+40",
    ]);
  });

  it("leaves out what was ready before the turn was over", () => {
    const prepared = { end_of_turn_ms: 500, model_first_token_ms: 300, first_clause_ms: 400, first_audio_ms: 510 };
    expect(shape(prepared)).toEqual(["turn 0+500", "playout 500+10"]);
  });

  it("shows what is known of a turn that was not answered aloud", () => {
    expect(toWaterfall({ end_of_turn_ms: 500, input_tokens: 900 })).toMatchObject({ totalMs: 500, isHeard: false });
    expect(toWaterfall({})).toEqual({ totalMs: 0, isHeard: false, stages: [] });
  });
});
