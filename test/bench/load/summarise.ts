/** Combines the runs of one server at one number of sessions into one line of the report. */
import { percentile } from "../percentiles.ts";
import type { Measurement } from "./measure.ts";

/** The median of the runs, and the smallest and largest value. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export interface Row {
  readonly subject: string;
  readonly floor: string;
  readonly sessions: number;
  readonly runs: number;
  readonly turns: number;
  /** Turns without an answer, interruptions that did not stop the agent, and callers who were cut off. */
  readonly lost: number;
  readonly firstAudioP50: Spread;
  readonly firstAudioP99: Spread;
  readonly stopP50: Spread;
  readonly stopP99: Spread;
  readonly worstLatenessMs: Spread;
  readonly cpuMsPerSessionSecond: Spread;
  readonly heapKbPerSession: Spread;
  readonly rssMb: Spread;
  readonly worstPauseMs: Spread;
}

export function summarise(
  { subject, floor, sessions }: Pick<Row, "subject" | "floor" | "sessions">,
  runs: readonly Measurement[],
): Row {
  const spread = (figure: (run: Measurement) => number): Spread => {
    const values = runs.map(figure);
    return { median: percentile(values, 0.5), least: Math.min(...values), most: Math.max(...values) };
  };
  const total = (figure: (run: Measurement) => number): number => runs.reduce((sum, run) => sum + figure(run), 0);
  return {
    subject,
    floor,
    sessions,
    runs: runs.length,
    turns: total(({ turns }) => turns),
    lost: total(({ lostTurns, lostStops, lostCallers }) => lostTurns + lostStops + lostCallers),
    firstAudioP50: spread(({ firstAudioMs }) => percentile(firstAudioMs, 0.5)),
    firstAudioP99: spread(({ firstAudioMs }) => percentile(firstAudioMs, 0.99)),
    stopP50: spread(({ stopMs }) => percentile(stopMs, 0.5)),
    stopP99: spread(({ stopMs }) => percentile(stopMs, 0.99)),
    worstLatenessMs: spread(({ worstLatenessMs }) => worstLatenessMs),
    cpuMsPerSessionSecond: spread(({ cpuMsPerSessionSecond }) => cpuMsPerSessionSecond),
    heapKbPerSession: spread(({ heapKbPerSession }) => heapKbPerSession),
    rssMb: spread(({ rssMb }) => rssMb),
    worstPauseMs: spread(({ minorPausesMs, majorPausesMs }) => Math.max(0, ...minorPausesMs, ...majorPausesMs)),
  };
}
