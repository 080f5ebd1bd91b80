/** Reads the marks of a turn as a waterfall: what happened between the caller's last word and the agent's first. */

/** Moments after the caller stopped, in their order; each ends the stage named with it. */
const moments = [
  { mark: "end_of_turn_ms", key: "turn", label: "End of turn", hint: "silence until the turn counts as over" },
  { mark: "model_first_token_ms", key: "model", label: "Model", hint: "until the model's first token" },
  { mark: "first_clause_ms", key: "clause", label: "First clause", hint: "until there is something to speak" },
  { mark: "synthesis_first_audio_ms", key: "synthesis", label: "Synthesis", hint: "until the first sound is made" },
  { mark: "first_audio_ms", key: "playout", label: "Playout", hint: "until the first sound leaves" },
] as const;

/** A duration, not a moment: the time between the model's first token and the first clause. */
const toolsMark = "tools_ms";
const tools = { key: "tools", label: "Tools", hint: "tool calls before the answer" } as const;

type StageKey = (typeof moments)[number]["key"] | typeof tools.key;

export interface LatencyStage {
  readonly key: StageKey;
  readonly label: string;
  readonly hint: string;
  readonly startMs: number;
  readonly durationMs: number;
}

export interface Waterfall {
  /** From the caller's last word to the agent's first sound, or to the last known moment. */
  readonly totalMs: number;
  /** False for an answer that failed, or was interrupted, before its first sound. */
  readonly isHeard: boolean;
  readonly stages: readonly LatencyStage[];
}

export function toWaterfall(marks: Readonly<Record<string, number>>): Waterfall {
  const stages: LatencyStage[] = [];
  let atMs = 0;
  const add = (stage: Omit<LatencyStage, "startMs" | "durationMs">, untilMs: number): void => {
    // If an answer was prepared while the caller was still speaking, some of its stages cost no waiting.
    if (untilMs <= atMs) return;
    stages.push({ ...stage, startMs: atMs, durationMs: untilMs - atMs });
    atMs = untilMs;
  };
  for (const { mark, ...stage } of moments) {
    const momentMs = marks[mark];
    if (momentMs === undefined) continue;
    if (mark === "first_clause_ms") add(tools, Math.min(momentMs, atMs + (marks[toolsMark] ?? 0)));
    add(stage, momentMs);
  }
  return { totalMs: atMs, isHeard: marks["first_audio_ms"] !== undefined, stages };
}
