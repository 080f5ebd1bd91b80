/**
 * The metrics of each turn, for whoever collects them: a histogram per mark and a span per turn. Without an OpenTelemetry
 * SDK in the process the API does nothing, and costs nothing.
 */
import type { TurnMetrics } from "@voice/shared/state/ports/session-store";
import { turnMarks } from "../session/turn-timeline.ts";

export interface FinishedTurn extends TurnMetrics {
  readonly sessionId: string;
}

/** As much of OpenTelemetry as is used here. */
export interface Instruments {
  histogram(
    name: string,
    options: { readonly unit: string; readonly description: string },
  ): { record(value: number, attributes: Readonly<Record<string, string>>): void };
  span(span: {
    readonly name: string;
    readonly startMs: number;
    readonly endMs: number;
    readonly attributes: Readonly<Record<string, string | number>>;
    readonly events: readonly { readonly name: string; readonly atMs: number }[];
  }): void;
}

type RecordTurn = (turn: FinishedTurn) => void;

/** `first_audio_ms` is measured in `voice.turn.first_audio`. */
export function metricName(mark: string): string {
  return `voice.turn.${mark.replace(/_ms$/, "")}`;
}

export function createTurnTelemetry(instruments: Instruments): RecordTurn {
  const histograms = new Map(
    turnMarks.map((mark) => [
      mark as string,
      instruments.histogram(metricName(mark), {
        unit: mark.endsWith("_ms") ? "ms" : "{token}",
        description: "See docs/operations.md.",
      }),
    ]),
  );

  return ({ sessionId, turnId, agent, marks, timestampMs }) => {
    for (const [mark, value] of Object.entries(marks)) histograms.get(mark)?.record(value, { agent });
    const moments = Object.entries(marks).filter(([mark]) => mark.endsWith("_ms") && mark !== "tools_ms");
    const lastedMs = Math.max(0, ...moments.map(([, afterMs]) => afterMs));
    const startMs = timestampMs - lastedMs;
    instruments.span({
      name: "turn",
      startMs,
      endMs: timestampMs,
      attributes: { "session.id": sessionId, "turn.id": turnId, agent, ...marks },
      events: moments.map(([mark, afterMs]) => ({ name: mark.replace(/_ms$/, ""), atMs: startMs + afterMs })),
    });
  };
}
