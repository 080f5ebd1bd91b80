/** Reads the marks of a turn as a waterfall: what happened between the caller's last word and the agent's first. */

/** Moments after the turn's end, in their order; each ends the stage named with it. */
const moments = [
  { mark: "model_first_token_ms", key: "model", label: "Model", hint: "until the model's first token" },
  { mark: "first_clause_ms", key: "clause", label: "First clause", hint: "until there is something to speak" },
  { mark: "synthesis_first_audio_ms", key: "synthesis", label: "Synthesis", hint: "until the first sound is made" },
  { mark: "first_audio_ms", key: "playout", label: "Playout", hint: "until the first sound leaves" },
] as const;

const turn = { key: "turn", label: "End of turn", hint: "silence until the turn counts as over" } as const;
const recognition = { key: "recognition", label: "Recognition", hint: "until the words were known" } as const;
/** A duration, not a moment: the time between the model's first token and the first clause. */
const toolsMark = "tools_ms";
const tools = { key: "tools", label: "Tools", hint: "tool calls before the answer" } as const;

type Stage = typeof turn | typeof recognition | typeof tools | Omit<(typeof moments)[number], "mark">;
type StageKey = Stage["key"];

/** In the order in which a turn goes through them. */
export const stageNames: readonly Pick<Stage, "key" | "label">[] = [
  turn,
  recognition,
  moments[0],
  tools,
  ...moments.slice(1),
];

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

type Marks = Readonly<Record<string, number>>;

export function toWaterfall(marks: Marks): Waterfall {
  const stages: LatencyStage[] = [];
  let atMs = 0;
  const add = ({ key, label, hint }: Stage, untilMs: number): void => {
    // If an answer was prepared while the caller was still speaking, some of its stages cost no waiting.
    if (untilMs <= atMs) return;
    stages.push({ key, label, hint, startMs: atMs, durationMs: untilMs - atMs });
    atMs = untilMs;
  };
  const { end_of_turn_ms: endOfTurnMs } = marks;
  if (endOfTurnMs !== undefined) {
    add(turn, endOfTurnMs - lateRecognitionMs(marks, endOfTurnMs));
    add(recognition, endOfTurnMs);
  }
  for (const { mark, ...stage } of moments) {
    const momentMs = marks[mark];
    if (momentMs === undefined) continue;
    if (mark === "first_clause_ms") add(tools, Math.min(momentMs, atMs + (marks[toolsMark] ?? 0)));
    add(stage, momentMs);
  }
  return { totalMs: atMs, isHeard: marks["first_audio_ms"] !== undefined, stages };
}

/**
 * How long the turn stayed open only because the words were not known yet: after the silence for which the service would have waited
 * anyway. Zero where the words came within that silence, and where no silence of ours ended the turn: a realtime model needs no words.
 */
function lateRecognitionMs(marks: Marks, endOfTurnMs: number): number {
  const { recognised_ms: recognisedMs, wait_ms: waitMs } = marks;
  if (recognisedMs === undefined || waitMs === undefined) return 0;
  return Math.max(0, Math.min(recognisedMs, endOfTurnMs) - Math.max(0, waitMs));
}
