/**
 * What a collector sees of phone calls and of a page: the whole service exports over a real socket. One trace from the
 * webhook to the answer that is spoken, with figures and ids in it, and nothing of what people say and who they are.
 */
import { loadSettings } from "@voice/shared/config/load";
import { identityOf } from "@voice/shared/config/load-configuration";
import { createLogger } from "@voice/shared/platform/logger";
import { loadTelemetry } from "@voice/shared/telemetry/load-telemetry";
import { metrics } from "@voice/shared/telemetry/metrics";
import type { MetricDefinition } from "@voice/shared/telemetry/metrics";
import { parseTraceparent } from "@voice/shared/telemetry/traceparent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { connectBrowser } from "../support/browser-client.ts";
import { startOtlpReceiver } from "../support/otlp-receiver.ts";
import type { OtlpReceiver, ReceivedSpan } from "../support/otlp-receiver.ts";
import { startPhoneRig } from "../support/phone-rig.ts";

const personal = ["Zebulontha", "2025550187", "marmalade penguin", phoneNumbers.person, "balance", "Harbor Bank"];
const typed = "My name is Zebulontha, my number is +12025550187, and the marmalade penguin wants its balance.";
const loadCloud = () => import("@voice/shared/config/cloud");

let receiver: OtlpReceiver;
/** The conversation of the call, and that of the page. */
let callId: string;
let callTraceId: string | undefined;
let pageSessionId: string;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  const settings = loadSettings({ TELEMETRY: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  const telemetry = await loadTelemetry(
    { settings, name: "voice", version: "1", exportsLogs: true, identity: identityOf(settings, loadCloud) },
    () => import("@voice/shared/telemetry/open-telemetry/start-open-telemetry"),
  );
  const logger = createLogger({
    level: "debug",
    name: "voice",
    destination: { write: () => undefined },
    also: telemetry.log,
  });
  const rig = await startPhoneRig({ telemetry, logger });
  const phone = rig.network.expectCall({ actions: [{ kind: "say", text: "I want to check my balance" }] });
  callId = await rig.initiate({
    target_number: phoneNumbers.person,
    context: { caller_name: "Zebulontha", note: typed },
  });
  await phone.finished;
  await rig.hasStatus(callId, "disconnected");
  await rig.spokenInAll(callId);
  callTraceId = parseTraceparent((await rig.call(callId)).traceparent)?.traceId;
  const browser = await connectBrowser(`ws://127.0.0.1:${rig.service.port}/api/v1/browser/conversation`);
  await browser.ask(typed);
  ({ sessionId: pageSessionId } = browser);
  await browser.close();
  await rig.close();
  await telemetry.close();
});

afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
});

function spansOf(traceId: string | undefined): readonly ReceivedSpan[] {
  return receiver.spans.filter((span) => span.traceId === traceId);
}

function one(spans: readonly ReceivedSpan[], name: RegExp): ReceivedSpan {
  const found = spans.find((span) => name.test(span.name));
  if (found === undefined) throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(", ")}`);
  return found;
}

describe("the trace of a call", () => {
  it("leads from the request over the event and the call to the turn and its parts", () => {
    const spans = spansOf(callTraceId);
    const request = one(spans, /^POST .*\/calls\/initiate$/);
    const event = one(spans, /^process call.initiation-requested$/);
    const call = one(spans, /^call$/);
    const turns = spans.filter((span) => span.name === "turn" && span.attributes["voice.turn.kind"] === "answer");
    const [turn] = turns;
    expect(event.parentSpanId).toBe(request.spanId);
    expect(call.parentSpanId).toBe(request.spanId);
    expect(turns).toHaveLength(1);
    expect(turn?.parentSpanId).toBe(call.spanId);
    const parts = spans.filter((span) => span.parentSpanId === turn?.spanId);
    expect(parts.map(({ name }) => name.replace(/^chat .*/, "chat")).toSorted()).toEqual([
      "chat",
      "recognition",
      "synthesis",
    ]);
  });

  it("has the ids of call and session, the GenAI attributes and the latencies, and lasts as long as its parts", () => {
    const spans = spansOf(callTraceId);
    const call = one(spans, /^call$/);
    const turn = spans.find((span) => span.attributes["voice.turn.kind"] === "answer");
    expect(call.attributes).toMatchObject({ "voice.call.id": callId, "voice.channel": "phone", "voice.mode": "MEDIA" });
    expect(turn?.attributes).toMatchObject({
      "voice.call.id": callId,
      "session.id": call.attributes["session.id"],
      "voice.turn.outcome": "complete",
      "voice.turn.first_audio_ms": expect.any(Number),
    });
    expect(turn?.events).toEqual(expect.arrayContaining(["caller_stopped", "first_audio"]));
    const parts = spans.filter((span) => span.parentSpanId === turn?.spanId);
    expect(one(parts, /^chat /).attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "local",
      "gen_ai.conversation.id": call.attributes["session.id"],
      "gen_ai.response.finish_reasons": "stop",
    });
    for (const part of parts) {
      expect(part.startMs).toBeGreaterThanOrEqual((turn?.startMs ?? 0) - 1);
      expect(part.endMs).toBeLessThanOrEqual((turn?.endMs ?? 0) + 1);
    }
  });
});

describe("a page's trace", () => {
  it("is one of its own, with the conversation and its turn", () => {
    const conversation = receiver.spans.find((span) => span.attributes["session.id"] === pageSessionId);
    expect(conversation).toBeDefined();
    expect(conversation?.traceId).not.toBe(callTraceId);
    const names = spansOf(conversation?.traceId).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["conversation", "turn"]));
  });
});

describe("what is exported", () => {
  it("has metrics with the name, kind, unit and attributes by which dashboards ask for them", () => {
    const definitions = new Map<string, MetricDefinition>(Object.entries(metrics));
    for (const [name, { kind, unit, attributes }] of receiver.metrics) {
      expect({ name, ...definitions.get(name) }).toMatchObject({ name, kind, unit });
      const unknown = [...attributes].filter((attribute) => definitions.get(name)?.by.includes(attribute) !== true);
      expect({ name, unknown }).toEqual({ name, unknown: [] });
    }
    expect([...receiver.metrics.keys()]).toEqual(
      expect.arrayContaining(["voice.turn.first_audio", "voice.turns", "voice.host.sessions", "voice.host.capacity"]),
    );
  });

  it("has log lines, found with their trace", () => {
    expect(receiver.logs.length).toBeGreaterThan(0);
    const ofTraces = receiver.logs.filter(({ traceId }) => traceId !== "");
    for (const { traceId } of ofTraces) expect(spansOf(traceId).length).toBeGreaterThan(0);
  });

  it("has nothing of what people say, and who they are", () => {
    const text = receiver.text();
    expect(text).toContain(callId);
    expect(personal.filter((marker) => text.toLowerCase().includes(marker.toLowerCase()))).toEqual([]);
  });
});
