/** Reads the figures of a turn as a waterfall: what happened between the caller's last word and the agent's first. */

/** In the order in which they happen. Each is a stretch of waiting; together they lead up to the first audio. */
const stages = [
  { key: "end_of_turn_ms", label: "End of turn", hint: "silence until the turn counts as over" },
  { key: "recognition_ms", label: "Recognition", hint: "from the end of the turn to the final text" },
  { key: "llm_ttft_ms", label: "Model", hint: "from the text to the model's first token" },
  { key: "tool_ms", label: "Tools", hint: "tool calls before the answer" },
  { key: "tts_ttfb_ms", label: "Synthesis", hint: "from the first clause to its first sound" },
] as const;

const TOTAL_KEY = "stop_to_audio_ms";

export type StageKey = (typeof stages)[number]["key"] | "other";

export interface LatencyStage {
  readonly key: StageKey;
  readonly label: string;
  readonly hint: string;
  readonly startMs: number;
  readonly durationMs: number;
}

export interface Waterfall {
  /** From the caller's last word to the agent's first sound. */
  readonly totalMs: number;
  readonly isMeasured: boolean;
  readonly stages: readonly LatencyStage[];
}

export function toWaterfall(metrics: Readonly<Record<string, number>>): Waterfall {
  const known: LatencyStage[] = [];
  let endMs = 0;
  for (const { key, label, hint } of stages) {
    const durationMs = metrics[key];
    if (durationMs === undefined || durationMs <= 0) continue;
    known.push({ key, label, hint, startMs: endMs, durationMs });
    endMs += durationMs;
  }
  const measuredMs = metrics[TOTAL_KEY];
  if (measuredMs === undefined) return { totalMs: endMs, isMeasured: false, stages: known };
  // What no stage accounts for is shown rather than hidden in one that does.
  const otherMs = measuredMs - endMs;
  const other = {
    key: "other",
    label: "Other",
    hint: "not measured by any stage",
    startMs: endMs,
    durationMs: otherMs,
  } as const;
  return { totalMs: measuredMs, isMeasured: true, stages: otherMs >= 1 ? [...known, other] : known };
}
