/**
 * Reports the metrics of each turn to OpenTelemetry: a histogram per mark and a span per turn. Without an OpenTelemetry
 * SDK in the process the API does nothing, and costs nothing.
 */
import type { TurnMetrics } from "@voice/shared/state/ports/session-store";
import type { Instruments } from "./instruments.ts";
import { turnMarks } from "../session/output/turn-timeline.ts";
import type { TurnMark } from "../session/output/turn-timeline.ts";

export interface FinishedTurn extends TurnMetrics {
  readonly sessionId: string;
}

type RecordTurn = (turn: FinishedTurn) => void;

/** `first_audio_ms` is measured in `voice.turn.first_audio`. */
export function metricName(mark: string): string {
  return `voice.turn.${mark.replace(/_ms$/, "")}`;
}

const durations: ReadonlySet<string> = new Set<TurnMark>(["tools_ms", "wait_ms"]);

function unitOf(mark: TurnMark): string {
  if (mark.endsWith("_ms")) return "ms";
  return mark.endsWith("_tokens") ? "{token}" : "1";
}

export function createTurnTelemetry(instruments: Instruments): RecordTurn {
  const histograms = new Map(
    turnMarks.map((mark) => [
      mark as string,
      instruments.histogram(metricName(mark), {
        unit: unitOf(mark),
        description: "See docs/operations.md.",
      }),
    ]),
  );

  return ({ sessionId, turnId, agent, marks, timestampMs }) => {
    for (const [mark, value] of Object.entries(marks)) histograms.get(mark)?.record(value, { agent });
    const moments = Object.entries(marks).filter(([mark]) => mark.endsWith("_ms") && !durations.has(mark));
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
