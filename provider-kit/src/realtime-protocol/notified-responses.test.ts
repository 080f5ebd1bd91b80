import type { RealtimeEvent } from "@voice/provider-kit/ports/realtime-model";
import { describe, expect, it } from "vitest";
import { ResponseSequence } from "./response-sequence.ts";
import { NotifiedResponses } from "./notified-responses.ts";

const usage = { inputTokens: 10, outputTokens: 5 };

function rig(onTold: (sequence: ResponseSequence) => void = () => undefined) {
  const told: RealtimeEvent[] = [];
  const cancelled: string[] = [];
  const sequence: ResponseSequence = new ResponseSequence({
    create: () => undefined,
    cancel: (responseId) => responses.cancel(responseId),
    plain: () => ({}),
  });
  const responses: NotifiedResponses = new NotifiedResponses(
    sequence,
    (event) => {
      told.push(event);
      onTold(sequence);
    },
    (responseId) => cancelled.push(responseId),
  );
  const finish = (responseId: string, status: "completed" | "cancelled" = "completed"): void =>
    responses.finish({ type: "response-finished", responseId, status, usage });
  return { told, cancelled, sequence, responses, finish };
}

describe("of which responses the listener is notified", () => {
  it("begins a response with its first words, and not again when the service announces it", () => {
    const { told, responses } = rig();
    responses.beginIfNew("1");
    expect(responses.isForListener("1")).toBe(true);
    responses.begin("1");
    responses.begin("1");
    expect(told).toEqual([{ type: "response-started", responseId: "1", isUnasked: true }]);
  });

  it("ends a response once", () => {
    const { told, responses, finish } = rig();
    responses.begin("1");
    finish("1");
    finish("1");
    expect(told.map(({ type }) => type)).toEqual(["response-started", "response-finished"]);
  });

  it("reports the start and the end of a response of which only the end arrives", () => {
    const { told, finish } = rig();
    finish("1");
    expect(told.map(({ type }) => type)).toEqual(["response-started", "response-finished"]);
  });

  it("cancels a response when a newer one starts, and passes on nothing more of it but what it cost", () => {
    const { told, cancelled, responses, finish } = rig();
    responses.begin("1");
    responses.begin("2");
    expect(cancelled).toEqual(["1"]);
    responses.beginIfNew("1");
    expect(responses.isForListener("1")).toBe(false);
    responses.beginIfNew("2");
    expect(responses.isForListener("2")).toBe(true);
    finish("1", "cancelled");
    expect(told).toEqual([
      { type: "response-started", responseId: "1", isUnasked: true },
      { type: "response-finished", responseId: "1", status: "cancelled" },
      { type: "response-started", responseId: "2", isUnasked: true },
      { type: "used", what: "response", usage },
    ]);
  });

  it("wants nothing more of a response that we cancelled, and tells its end", () => {
    const { told, cancelled, sequence, responses, finish } = rig();
    responses.begin("1");
    sequence.cancel();
    expect(cancelled).toEqual(["1"]);
    responses.beginIfNew("1");
    expect(responses.isForListener("1")).toBe(false);
    finish("1", "cancelled");
    expect(told.at(-1)).toEqual({ type: "response-finished", responseId: "1", status: "cancelled", usage });
  });

  it("tells nothing but the cost of a response that was called off before it began", () => {
    const { told, cancelled, sequence, responses, finish } = rig();
    sequence.request({});
    sequence.cancel();
    responses.begin("1");
    expect(cancelled).toEqual(["1"]);
    responses.beginIfNew("1");
    expect(responses.isForListener("1")).toBe(false);
    finish("1", "cancelled");
    expect(told).toEqual([{ type: "used", what: "response", usage }]);
  });

  it("tells of a response that may be the requested one with its first words, and that the service began it unasked if that refuses ours", () => {
    const { told, sequence, responses } = rig();
    sequence.request({});
    responses.begin("ours");
    expect(told).toEqual([]);
    responses.beginIfNew("ours");
    expect(told).toEqual([{ type: "response-started", responseId: "ours" }]);
    const other = rig();
    other.sequence.request({});
    other.responses.begin("theirs");
    other.responses.refusedAsBusy();
    other.responses.beginIfNew("theirs");
    expect(other.told).toEqual([{ type: "response-started", responseId: "theirs", isUnasked: true }]);
  });

  it("tells of it before the caller speaks over it, and nothing if it was cancelled until then", () => {
    const { told, sequence, responses, finish } = rig();
    sequence.request({});
    responses.begin("1");
    responses.speechStarted();
    expect(told).toEqual([{ type: "response-started", responseId: "1" }]);
    finish("1", "cancelled");
    told.length = 0;
    sequence.request({});
    responses.begin("2");
    sequence.cancel();
    responses.speechStarted();
    finish("2", "cancelled");
    expect(told).toEqual([{ type: "used", what: "response", usage }]);
  });

  it("wants nothing of a response that the listener cancels when it is told that it begins", () => {
    const { sequence, responses } = rig((asked) => asked.cancel());
    sequence.request({});
    responses.begin("1");
    responses.beginIfNew("1");
    expect(responses.isForListener("1")).toBe(false);
  });
});
