import { expect, it } from "vitest";

import { latencyFigures } from "./latency-figures.ts";

const turn = (turnId: string, metrics: Record<string, number>) => ({ turnId, agent: "front_desk", metrics });

it("[TIMELINE-8] gives the median and the 95th percentile of each stage, a stage that took no time included", () => {
  const turns = [400, 900, 500].map((ms, index) =>
    turn(`turn-${index}`, { end_of_turn_ms: 300, model_first_token_ms: ms, first_audio_ms: ms }),
  );
  const prepared = turn("turn-4", { end_of_turn_ms: 300, model_first_token_ms: 100, first_audio_ms: 310 });
  const unheard = turn("turn-5", { end_of_turn_ms: 9000 });
  const { turnCount, figures } = latencyFigures([...turns, prepared, unheard]);
  expect(turnCount).toBe(4);
  expect(figures.map(({ label, p50Ms, p95Ms }) => `${label} ${p50Ms} ${p95Ms}`)).toEqual([
    "Answer 400 900",
    "End of turn 300 300",
    "Model 100 600",
    "Playout 0 10",
  ]);
});
