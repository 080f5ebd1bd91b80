import { describe, expect, it } from "vitest";
import { openTelemetryInstruments } from "./open-telemetry.ts";
import { createTurnTelemetry, metricName } from "./turn-telemetry.ts";
import type { Instruments } from "./instruments.ts";

const turn = {
  sessionId: "session-1",
  turnId: "turn-2",
  agent: "desk",
  timestampMs: 10_000,
  marks: { end_of_turn_ms: 500, first_audio_ms: 700, tools_ms: 9000, reply_over_ms: 3000, input_tokens: 12 },
};

describe("the telemetry of a turn", () => {
  it("records every mark in a histogram of its own, and the turn as one span from the anchor to the end", () => {
    const recorded: unknown[] = [];
    const spans: Parameters<Instruments["span"]>[0][] = [];
    const record = createTurnTelemetry({
      histogram: (name, { unit }) => ({ record: (value, { agent }) => recorded.push([name, unit, value, agent]) }),
      span: (span) => spans.push(span),
    });
    record(turn);
    expect(recorded).toEqual([
      ["voice.turn.end_of_turn", "ms", 500, "desk"],
      ["voice.turn.first_audio", "ms", 700, "desk"],
      ["voice.turn.tools", "ms", 9000, "desk"],
      ["voice.turn.reply_over", "ms", 3000, "desk"],
      ["voice.turn.input_tokens", "{token}", 12, "desk"],
    ]);
    expect(spans).toMatchObject([
      {
        name: "turn",
        startMs: 7000,
        endMs: 10_000,
        attributes: { "session.id": "session-1", "turn.id": "turn-2", first_audio_ms: 700 },
        events: [
          { name: "end_of_turn", atMs: 7500 },
          { name: "first_audio", atMs: 7700 },
          { name: "reply_over", atMs: 10_000 },
        ],
      },
    ]);
  });

  it("costs nothing but a call without an SDK", () => {
    expect(() => createTurnTelemetry(openTelemetryInstruments())(turn)).not.toThrow();
    expect(metricName("first_audio_ms")).toBe("voice.turn.first_audio");
  });
});
