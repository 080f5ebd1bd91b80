import { metrics } from "@voice/shared/telemetry/metrics";
import { describe, expect, it } from "vitest";
import type { EndedReply } from "../session/output/session-probe.ts";
import { turnMarks } from "../session/output/turn-timeline.ts";
import { RecordedTelemetry } from "../testing/recorded-telemetry.ts";
import { metricOf, reportReply } from "./reply-telemetry.ts";

const parent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
const context = {
  parent,
  spanAttributes: { "session.id": "session-1" },
  metricAttributes: { mode: "MEDIA" },
  modelProvider: "local",
};

/** The caller stopped at 1000 on the session clock; at its 4000 it is 100 000 on the wall. */
const reply: EndedReply = {
  turnId: "turn-2",
  kind: "answer",
  agent: "desk",
  ending: "complete",
  cut: undefined,
  anchorMs: 1000,
  endMs: 4000,
  endWallMs: 100_000,
  marks: { end_of_turn_ms: 500, first_audio_ms: 700, tools_ms: 900, reply_over_ms: 3000, input_tokens: 12 },
  activities: [
    { part: "recognition", name: "recognition", startMs: 200, endMs: 1100, attributes: {} },
    {
      part: "model",
      name: "chat gpt",
      startMs: 1100,
      endMs: 1600,
      attributes: { "gen_ai.request.model": "gpt", "gen_ai.usage.input_tokens": 12, "gen_ai.usage.output_tokens": 3 },
    },
    {
      part: "tool",
      name: "execute_tool look_up",
      startMs: 1600,
      endMs: 1700,
      attributes: { "gen_ai.tool.name": "look_up" },
      errorType: "tool_failed",
    },
  ],
};

function reported(changes: Partial<EndedReply> = {}): RecordedTelemetry {
  const telemetry = new RecordedTelemetry();
  reportReply(telemetry, { ...reply, ...changes }, context);
  return telemetry;
}

describe("the telemetry of a reply", () => {
  it("is one span on the wall's clock, from the caller's first word to the end of the answer, with its parts under it", () => {
    const { spans } = reported();
    const turn = spans.find(({ name }) => name === "turn");
    expect(turn).toMatchObject({ parent, startMs: 96_200, endMs: 100_000 });
    expect(turn?.attributes).toMatchObject({
      "session.id": "session-1",
      "voice.turn.id": "turn-2",
      "voice.turn.outcome": "complete",
      "voice.turn.first_audio_ms": 700,
      "gen_ai.agent.name": "desk",
    });
    expect(turn?.events).toEqual([
      { name: "caller_stopped", atMs: 97_000 },
      { name: "end_of_turn", atMs: 97_500 },
      { name: "first_audio", atMs: 97_700 },
      { name: "reply_over", atMs: 100_000 },
    ]);
    const parts = spans.filter((span) => span.parent === `00-${"a".repeat(32)}-${turn?.id}-01`);
    expect(parts.map(({ name, startMs, endMs, errorType }) => [name, startMs, endMs, errorType])).toEqual([
      ["recognition", 96_200, 97_100, undefined],
      ["chat gpt", 97_100, 97_600, undefined],
      ["execute_tool look_up", 97_600, 97_700, "tool_failed"],
    ]);
  });

  it("is a value for each mark, by mode and agent, and figures of model and tools", () => {
    const { values, counts } = reported();
    expect(values.slice(0, 5).map(({ name, value, attributes }) => [name, value, attributes["agent"]])).toEqual([
      ["voice.turn.end_of_turn", 500, "desk"],
      ["voice.turn.first_audio", 700, "desk"],
      ["voice.turn.reply_over", 3000, "desk"],
      ["voice.turn.tools", 900, "desk"],
      ["voice.turn.input_tokens", 12, "desk"],
    ]);
    expect(values.slice(5).map(({ name, value }) => [name, value])).toEqual([
      ["gen_ai.client.operation.duration", 0.5],
      ["gen_ai.client.token.usage", 12],
      ["gen_ai.client.token.usage", 3],
    ]);
    expect(counts).toEqual(["voice.turns 1 MEDIA complete", "voice.tool.calls 1 look_up error"]);
  });

  it.each([
    ["barge_in", undefined, "interrupted"],
    ["dead_air", undefined, "failed"],
    ["ended", undefined, "abandoned"],
    ["complete", "length", "cut"],
  ] as const)("says of a reply that ended by %s (cut: %s) that it was %s", (ending, cut, outcome) => {
    const { counts, spans } = reported({ ending, cut });
    expect(counts[0]).toBe(`voice.turns 1 MEDIA ${outcome}`);
    const turn = spans.find(({ name }) => name === "turn");
    expect(turn?.errorType).toBe(outcome === "failed" ? ending : undefined);
  });

  it.each([
    ["dead_air", "dead_air"],
    ["barge_in", undefined],
  ] as const)(
    "says what the caller waited for where a reply that was cancelled by %s had a request open",
    (ending, errorType) => {
      const hanging = {
        part: "model",
        name: "chat gpt",
        startMs: 1100,
        endMs: 9000,
        attributes: { "voice.cancelled": true },
      } as const;
      const { spans } = reported({ ending, activities: [hanging] });
      expect(spans.find(({ name }) => name === "chat gpt")?.errorType).toBe(errorType);
    },
  );

  it("counts no turn where the agent spoke of its own accord, and traces it all the same", () => {
    const { counts, values, spans } = reported({ kind: "greeting", anchorMs: undefined, marks: {}, activities: [] });
    expect([...counts, ...values]).toEqual([]);
    expect(spans).toMatchObject([{ name: "turn", startMs: 100_000, attributes: { "voice.turn.kind": "greeting" } }]);
  });

  it("has a histogram for every mark", () => {
    for (const mark of turnMarks) expect(metrics[metricOf(mark)].kind).toBe("histogram");
  });
});
