import { VoiceError } from "@voice/shared/platform/errors";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { noTelemetry } from "@voice/shared/telemetry/telemetry";
import { describe, expect, it } from "vitest";
import { conversationsRig } from "../testing/conversations-rig.ts";
import { RecordedTelemetry } from "../testing/recorded-telemetry.ts";
import { RecentFailures } from "./recent-failures.ts";

const aWhileMs = 2000;
const traceId = "c".repeat(32);
const traceparent = `00-${traceId}-${"d".repeat(16)}-01`;

describe("the telemetry of a conversation", () => {
  it("is one span until the conversation leaves the host, with every reply under it, in the trace that it was asked for in", async () => {
    const telemetry = new RecordedTelemetry();
    const { connect, pass, state } = conversationsRig({ options: { telemetry } });
    const browser = await connect({ traceparent });
    await pass(aWhileMs);
    browser.type("hello");
    await pass(aWhileMs);
    browser.leave();
    await pass(aWhileMs);
    const conversation = telemetry.spans.find(({ name }) => name === "conversation");
    expect(conversation?.parent).toBe(traceparent);
    expect(conversation?.attributes).toMatchObject({
      "session.id": browser.sessionIds[0],
      "voice.end_reason": "finished",
    });
    const turns = telemetry.spans.filter(({ name }) => name === "turn");
    expect(turns.map(({ attributes }) => attributes["voice.turn.kind"])).toEqual(["greeting", "answer"]);
    for (const turn of turns) expect(turn.parent).toBe(`00-${traceId}-${conversation?.id}-01`);
    expect(telemetry.spans.filter(({ name }) => name.startsWith("chat "))).toHaveLength(1);
    expect(telemetry.counts).toContain("voice.turns 1 REALTIME browser complete");
    expect(await state.sessions.get(browser.sessionIds[0] ?? "")).toMatchObject({
      traceparent: expect.stringContaining(traceId),
    });
  });

  it.each([
    ["local", {}],
    ["openai", { OPENAI_API_KEY: "k" }],
    ["azure.ai.openai", { CLOUD_OPENAI_ENDPOINT: "https://m.example", CLOUD_OPENAI_DEPLOYMENT: "d" }],
    ["own", { LANGUAGE_MODEL_MODULE: "my-model" }],
  ])("names the provider of the language model: %s", async (provider, environment) => {
    const telemetry = new RecordedTelemetry();
    const { connect, pass } = conversationsRig({ environment, options: { telemetry } });
    const browser = await connect();
    await pass(aWhileMs);
    browser.type("hello");
    await pass(aWhileMs);
    const chat = telemetry.spans.find(({ name }) => name.startsWith("chat "));
    expect(chat?.attributes["gen_ai.provider.name"]).toBe(provider);
  });

  it("stays in its trace when the conversation goes on, on whatever host and socket", async () => {
    const telemetry = new RecordedTelemetry();
    const { connect, pass } = conversationsRig({ options: { telemetry } });
    const first = await connect({ traceparent });
    await pass(aWhileMs);
    first.leave();
    await pass(aWhileMs);
    const again = await connect({
      sessionId: first.sessionIds[0],
      traceparent: `00-${"e".repeat(32)}-${"f".repeat(16)}-01`,
    });
    await pass(aWhileMs);
    again.leave();
    await pass(aWhileMs);
    const conversations = telemetry.spans.filter(({ name }) => name === "conversation");
    expect(conversations.map(({ parent }) => parent?.split("-")[1])).toEqual([traceId, traceId]);
    expect(conversations.map(({ attributes }) => attributes["voice.resumed"])).toEqual([false, true]);
  });

  it("counts a call that another host had before", async () => {
    const telemetry = new RecordedTelemetry();
    const { connect, pass } = conversationsRig({ options: { telemetry } });
    const first = await connect();
    await pass(aWhileMs);
    first.leave();
    await pass(aWhileMs);
    await connect({ sessionId: first.sessionIds[0], channel: "phone" });
    await pass(aWhileMs);
    expect(telemetry.counts).toContain("voice.takeovers 1 REALTIME phone");
  });

  it("counts errors, and answers that the caller interrupts", async () => {
    const telemetry = new RecordedTelemetry();
    const { connect, pass, recogniser } = conversationsRig({ options: { telemetry }, msPerCharacter: 60 });
    const browser = await connect();
    await pass(aWhileMs);
    browser.type("hello");
    await pass(100);
    browser.type("wait a moment");
    await pass(aWhileMs);
    expect(telemetry.counts.filter((line) => line.startsWith("voice.barge_ins"))).not.toEqual([]);
    expect(telemetry.counts).toContain("voice.turns 1 REALTIME browser interrupted");
    expect(recogniser.streams).toHaveLength(1);
  });

  it("counts each loss of the recogniser and each attempt to reach it, since an outage is over before most callers notice it", async () => {
    const telemetry = new RecordedTelemetry();
    const failures = new RecentFailures(new VirtualClock());
    const { connect, pass, recogniser } = conversationsRig({ options: { telemetry, failures } });
    const browser = await connect();
    await pass(aWhileMs);
    const away = new VoiceError("upstream_unavailable", "away");
    recogniser.refusals.push(away, away);
    recogniser.last.fail(away);
    await pass(10_000);
    const counted = telemetry.counts.filter((line) => line.startsWith("voice.upstream.errors"));
    expect(counted).toEqual(Array.from({ length: 3 }, () => "voice.upstream.errors 1 recogniser upstream_unavailable"));
    expect(failures.list).toHaveLength(1);
    expect(browser.endReasons).toEqual([]);
  });

  it("says in the trace of a conversation what failed and when, and that this has ended it", async () => {
    const telemetry = new RecordedTelemetry();
    const { connect, pass, recogniser } = conversationsRig({ options: { telemetry } });
    await connect();
    await pass(aWhileMs);
    recogniser.last.fail(new VoiceError("upstream_unavailable", "401", { retryable: false }));
    await pass(10_000);
    const conversation = telemetry.spans.find(({ name }) => name === "conversation");
    expect(conversation).toMatchObject({
      attributes: { "voice.end_reason": "recogniser_lost" },
      errorType: "recogniser_lost",
      events: [{ name: "recogniser failed: upstream_unavailable" }],
    });
  });

  it("marks no conversation as failed that ended as it should", async () => {
    const telemetry = new RecordedTelemetry();
    const { connect, pass } = conversationsRig({ options: { telemetry } });
    const browser = await connect();
    await pass(aWhileMs);
    browser.leave();
    await pass(aWhileMs);
    const conversation = telemetry.spans.find(({ name }) => name === "conversation");
    expect(conversation).toMatchObject({ events: [] });
    expect(conversation?.errorType).toBeUndefined();
  });

  it("counts each attempt to reach a realtime model as well", async () => {
    const telemetry = new RecordedTelemetry();
    const { connect, pass, realtimeModel } = conversationsRig({ options: { telemetry } });
    await connect({ streamingMode: "VOICE_LIVE" });
    await pass(aWhileMs);
    const away = new VoiceError("upstream_unavailable", "away");
    realtimeModel.refusals.push(away);
    realtimeModel.end(away);
    await pass(5000);
    const counted = telemetry.counts.filter((line) => line.startsWith("voice.upstream.errors"));
    expect(counted).toEqual(
      Array.from({ length: 2 }, () => "voice.upstream.errors 1 realtime-model upstream_unavailable"),
    );
  });

  it("names no agent and no model in metrics that only a client's agent brings, since those may be anything", async () => {
    const telemetry = new RecordedTelemetry();
    const { connect, pass, state } = conversationsRig({ options: { telemetry } });
    const sessionId = "session-of-a-client";
    const desk = {
      name: "pat-12065550142",
      prompt: "You answer calls at night.",
      model: { deployment_id: "call +12065550142" },
    };
    await state.agents.create(sessionId, desk.name, desk);
    const scenario = { name: "own", agents: [desk.name], start_agent: desk.name };
    await state.scenarios.create(sessionId, scenario.name, scenario);
    const browser = await connect({ sessionId, scenario: "own" });
    await pass(aWhileMs);
    browser.type("hello");
    await pass(aWhileMs);
    const turns = telemetry.values.filter(({ name }) => name === "voice.turn.first_audio");
    expect(turns.map(({ attributes }) => attributes["agent"])).toEqual(["other"]);
    const asked = telemetry.values.find(({ name }) => name === "gen_ai.client.operation.duration");
    expect(asked?.attributes).toMatchObject({ "gen_ai.request.model": "other" });
    expect(JSON.stringify([telemetry.values, telemetry.counts])).not.toContain("12065550142");
  });

  it("hands the trace on that a conversation was asked for in where nothing is traced here", async () => {
    const { connect, pass, state } = conversationsRig({ options: { telemetry: noTelemetry } });
    const browser = await connect({ traceparent });
    await pass(aWhileMs);
    expect(await state.sessions.get(browser.sessionIds[0] ?? "")).toMatchObject({ traceparent });
  });
});
