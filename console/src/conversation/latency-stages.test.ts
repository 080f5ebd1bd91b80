import { describe, expect, it } from "vitest";

import { toWaterfall } from "./latency-stages.ts";

const shape = (metrics: Record<string, number>): string[] =>
  toWaterfall(metrics).stages.map(({ key, startMs, durationMs }) => `${key} ${startMs}+${durationMs}`);

describe("the latency waterfall", () => {
  it("puts the stages end to end in the order in which they happen", () => {
    expect(shape({ tts_ttfb_ms: 40, end_of_turn_ms: 500, llm_ttft_ms: 100, stop_to_audio_ms: 640 })).toEqual([
      "end_of_turn_ms 0+500",
      "llm_ttft_ms 500+100",
      "tts_ttfb_ms 600+40",
    ]);
  });

  it("shows what no stage accounts for", () => {
    expect(shape({ llm_ttft_ms: 100, stop_to_audio_ms: 180 })).toEqual(["llm_ttft_ms 0+100", "other 100+80"]);
  });

  it("believes the direct measure where stages overlap", () => {
    const waterfall = toWaterfall({ end_of_turn_ms: 500, recognition_ms: 400, stop_to_audio_ms: 700 });
    expect(waterfall).toMatchObject({ totalMs: 700, isMeasured: true });
    expect(waterfall.stages.map(({ key }) => key)).not.toContain("other");
  });

  it("adds the stages up where nothing was measured directly, and says so", () => {
    expect(toWaterfall({ llm_ttft_ms: 100, tts_ttfb_ms: 50 })).toMatchObject({ totalMs: 150, isMeasured: false });
  });

  it("is empty for a turn without figures", () => {
    expect(toWaterfall({})).toEqual({ totalMs: 0, isMeasured: false, stages: [] });
  });
});
