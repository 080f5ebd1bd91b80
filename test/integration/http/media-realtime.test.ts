import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { heartbeatTtlMs } from "@voice/shared/state/ports/host-registry";
import type { HostHeartbeat, PoolStatus } from "@voice/shared/state/ports/host-registry";
import { startApi, type Api } from "./api-harness.ts";

let api: Api | undefined;

afterEach(async () => api?.close());

const pool: PoolStatus = {
  ready: true,
  warmSize: 2,
  warmTarget: 2,
  activeSessions: 1,
  allocationsTotal: 4,
  allocationsWarm: 3,
  allocationsCold: 1,
  warmupCycles: 1,
  warmupFailures: 0,
};

function heartbeat(hostId: string, changes: Partial<HostHeartbeat> = {}): HostHeartbeat {
  const local = { name: "local", healthy: true };
  return {
    hostId,
    version: "1.0.0",
    startedAtMs: 0,
    draining: false,
    ready: true,
    maxSessions: 10,
    sessions: { phone: 1, browser: 2, media: 0, telephony: 0 },
    connections: { media: 1, browser: 2, telephony: 0, dashboard: 3 },
    totals: { connected: 5, disconnected: 2 },
    eventLoop: { delayMs: 3, isOverloaded: false },
    pools: { stt: pool, tts: pool },
    mcp: { state: "connected", servers: [] },
    providers: { recogniser: local, synthesiser: local, languageModel: local, callControl: local },
    ...changes,
  };
}

async function startWith(hosts: number, environment: Readonly<Record<string, string>> = {}): Promise<Api> {
  api = await startApi(environment);
  for (let index = 0; index < hosts; index += 1) await api.state.hosts.beat(heartbeat(`host-${index}`));
  return api;
}

it.each([
  ["true", true],
  ["false", false],
])(
  "the browsers' status says with BARGE_IN_ENABLED=%s whether a caller can interrupt: %s",
  async (value, canInterrupt) => {
    const { call } = await startWith(1, { BARGE_IN_ENABLED: value });
    expect(await call("GET", "/api/v1/browser/status")).toMatchObject({
      body: { features: { audio_interruption: canInterrupt } },
    });
  },
);

describe("the live figures", () => {
  it.each([
    [0, "unavailable", 503],
    [1, "available", 200],
    [3, "available", 200],
  ])("are right with %i hosts", async (hosts, status, readyStatus) => {
    const { call } = await startWith(hosts);
    expect(await call("GET", "/api/v1/realtime/status")).toMatchObject({
      status: 200,
      body: {
        status,
        websocket_endpoints: {
          dashboard_relay: "/api/v1/realtime/dashboard/relay",
          conversation: "/api/v1/realtime/conversation",
        },
        features: { session_management: true, conversation_streaming: hosts > 0 },
        active_connections: { dashboard_clients: 3 * hosts, conversation_sessions: 3 * hosts },
        protocols_supported: ["WebSocket"],
        version: "v1",
      },
    });
    expect(await call("GET", "/api/v1/browser/status")).toMatchObject({
      body: {
        status,
        features: { simulated_phones: false },
        active_connections: { total_connections: 5 * hosts, conversation_sessions: 2 * hosts },
      },
    });
    expect(await call("GET", "/api/v1/media/status")).toMatchObject({
      body: { status, streaming_mode: "MEDIA", active_streams: hosts, configuration: { sample_rate: 16_000 } },
    });
    expect(await call("GET", "/api/v1/health")).toMatchObject({
      status: 200,
      body:
        hosts === 0
          ? { active_sessions: null, session_metrics: null }
          : { active_sessions: 3 * hosts, session_metrics: { connected: 5 * hosts, disconnected: 2 * hosts } },
    });
    expect(await call("GET", "/api/v1/pools")).toMatchObject({
      body: {
        status: hosts === 0 ? "unhealthy" : "healthy",
        pools: { "speech-stt": { warm_pool_size: 2 * hosts, allocations_total: 4 * hosts } },
        summary: { total_warm: 4 * hosts, hit_rate_percent: hosts === 0 ? 0 : 75 },
      },
    });
    const ready = await call("GET", "/api/v1/ready");
    expect(ready.status).toBe(readyStatus);
    if (hosts > 0) {
      expect(ready.body).toEqual({ status: "ready", mcp: "connected", pools: { tts: 2 * hosts, stt: 2 * hosts } });
    }
  });
});

it("[OPS-11] counts the conversations of a host that fell silent, and those of one that said goodbye no more", async () => {
  const clock = new VirtualClock();
  const state = createMemoryState({ clock });
  api = await startApi({}, { state });
  for (const name of ["living", "silent", "gone"]) await state.hosts.beat(heartbeat(name));
  await state.hosts.remove("gone");
  clock.advance(heartbeatTtlMs);
  const counts = async () => (await api?.call("GET", "/api/v1/health"))?.body;
  expect(await counts()).toMatchObject({ active_sessions: null, session_metrics: null });
  await state.hosts.beat(heartbeat("living"));
  expect(await counts()).toMatchObject({
    active_sessions: 6,
    session_metrics: { active: 6, streaming_hosts: 1, silent_hosts: 1 },
  });
});

it("[OPS-7a] [OPS-7b] tells operators how every host is doing and what is set, and no secret", async () => {
  api = await startApi({ CLOUD_SPEECH_REGION: "westeurope", CLOUD_SPEECH_KEY: "hunter2" });
  await api.state.hosts.beat(heartbeat("warm"));
  const sessionId = "session-MtZhUJ4WbGJ0SEXlKj-WSA";
  const failure = { part: "recogniser", code: "upstream_timeout", atMs: 0 };
  const explained = { ...failure, reason: "the endpoint answered 429", sessionId };
  await api.state.hosts.beat(heartbeat("full", { placesTaken: 1000, upstreamFailures: [failure, explained] }));
  const { status, body } = await api.call("GET", "/api/v1/system");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    version: "1.0.0",
    parts: expect.arrayContaining([{ name: "speech recognition", kind: "real", detail: "region westeurope" }]),
    hosts: [
      {
        host_id: "full",
        status: "full",
        upstream_failures: [
          {
            part: "recogniser",
            code: "upstream_timeout",
            reason: null,
            session_id: null,
            timestamp: "1970-01-01T00:00:00.000Z",
          },
          { reason: "the endpoint answered 429", session_id: sessionId },
        ],
      },
      { host_id: "warm", status: "serving", pools: { stt: { warm_pool_size: 2 } }, upstream_failures: [] },
    ],
    settings: expect.arrayContaining([
      expect.objectContaining({ name: "CLOUD_SPEECH_KEY", value: null, is_secret: true, is_changed: true }),
    ]),
  });
  expect(JSON.stringify(body)).not.toContain("hunter2");
});

it("says that nothing is managed while the store is away", async () => {
  const state = createMemoryState({ clock: systemClock });
  const list = () => Promise.reject(new VoiceError("cache_connection_failed", "down"));
  api = await startApi({}, { state: { ...state, hosts: { ...state.hosts, list } } });
  for (const path of ["realtime", "browser", "media"])
    expect(await api.call("GET", `/api/v1/${path}/status`)).toMatchObject({
      status: 200,
      body: { status: "unavailable", features: { session_management: false } },
    });
});

it("is not ready before the hosts have warmed up", async () => {
  api = await startApi();
  await api.state.hosts.beat(heartbeat("cold", { ready: false }));
  expect((await api.call("GET", "/api/v1/ready")).status).toBe(503);
  await api.state.hosts.beat(heartbeat("warm"));
  expect((await api.call("GET", "/api/v1/ready")).status).toBe(200);
});

describe("GET /readiness", () => {
  const nobody = {
    "call.initiation-requested": idle,
    "call.inbound-received": idle,
    "call.callback-received": idle,
    "call.farewell-requested": idle,
  };

  async function idle(): Promise<void> {}

  async function listen({ state }: Api): Promise<void> {
    await state.events.subscribe({ ...nobody, "call.termination-requested": idle });
  }

  it("is ready when every dependency is, with the event system's real counts", async () => {
    const running = await startWith(1);
    await listen(running);
    const answer = await running.call("GET", "/api/v1/readiness");
    expect(answer).toMatchObject({
      status: 200,
      body: { status: "ready", event_system: { is_healthy: true, handlers_count: 5, domains_count: 1 } },
    });
    expect(answer.body).toHaveProperty("checks[0]", {
      component: "cache",
      status: "healthy",
      check_time_ms: expect.any(Number),
      details: expect.any(String),
      error: null,
    });
  });

  it("[OPS-37] warns of events of calls that no host could handle, and does not say whose they are", async () => {
    const running = await startWith(1);
    await listen(running);
    const timestampMs = Date.UTC(2026, 2, 21, 9, 30);
    const letter = { event: undefined, eventJson: '{"from":"+12065550142"}', reason: "no +12065550142", attempts: 5 };
    running.state.events.deadLetters = async () => [{ ...letter, timestampMs }];
    const answer = await running.call("GET", "/api/v1/readiness");
    expect(answer).toMatchObject({ status: 200, body: { status: "ready" } });
    expect(answer.text).toContain(
      "5 handlers). Warning: 1 event could not be handled in the last week, the newest is unreadable at 2026-03-21T09:30:00.000Z",
    );
    expect(answer.text).not.toContain("0142");
    running.state.events.deadLetters = async (limit) =>
      Array.from({ length: limit }, () => ({ ...letter, timestampMs }));
    expect((await running.call("GET", "/api/v1/readiness")).text).toContain("Warning: at least 10 events");
  });

  it("[OPS-38] says that a conversation waits to be archived, although everything works", async () => {
    const clock = new VirtualClock();
    const state = createMemoryState({ clock });
    await state.toArchive.put({ id: "arc_1", sessionId: "session-1", createdAtMs: 1, storedAtMs: 2 }, 0);
    await clock.advanceAsync(120_000);
    api = await startApi({}, { state });
    await state.hosts.beat(heartbeat("a"));
    await listen(api);
    const answer = await api.call("GET", "/api/v1/readiness");
    expect(answer).toMatchObject({ status: 200, body: { status: "ready" } });
    expect(answer.text).toContain("5 handlers). Waiting: 1 conversation to be archived since ");
  });

  it("[REASON-10c] is degraded while only call control is down", async () => {
    const running = await startApi();
    api = running;
    await listen(running);
    const sick = { ...heartbeat("a").providers, callControl: { name: "cloud", healthy: false, error: "401" } };
    await running.state.hosts.beat(heartbeat("a", { providers: sick }));
    const answer = await running.call("GET", "/api/v1/readiness");
    expect(answer).toMatchObject({ status: 200, body: { status: "degraded" } });
    expect(answer.text).toContain('"component":"comm_caller","status":"unhealthy"');
  });

  it("is not ready while no host is alive, and says when to ask again", async () => {
    const { call } = await startWith(0);
    const answer = await call("GET", "/api/v1/readiness");
    expect(answer).toMatchObject({ status: 503, body: { status: "not_ready" } });
    expect(answer.headers.get("retry-after")).toBe("5");
  });

  it("is not ready while no host handles call events, unless calls are turned off", async () => {
    const withoutCalls = await startWith(1);
    const degraded = await withoutCalls.call("GET", "/api/v1/readiness");
    expect(degraded).toMatchObject({ status: 200, body: { status: "degraded", event_system: { handlers_count: 0 } } });
    await withoutCalls.close();
    api = await startApi({
      COMM_CONNECTION_STRING: "endpoint=https://comm.example.com/;accesskey=c2VjcmV0",
      COMM_PHONE_NUMBER: "+14255550188",
      COMM_RESOURCE_ID: "11111111-1111-4111-8111-111111111111",
      COMM_WEBHOOK_SECRET: "open sesame",
      BASE_URL: "https://voice.example.com",
    });
    await api.state.hosts.beat(heartbeat("a"));
    const answer = await api.call("GET", "/api/v1/readiness");
    expect(answer).toMatchObject({ status: 503, body: { status: "not_ready" } });
    expect(answer.text).toContain('"component":"event_system","status":"unhealthy"');
  });

  it("shows the last digits of the own number and no more", async () => {
    api = await startApi({
      COMM_CONNECTION_STRING: "endpoint=https://comm.example.com/;accesskey=c2VjcmV0",
      COMM_PHONE_NUMBER: "+14255550188",
      COMM_RESOURCE_ID: "11111111-1111-4111-8111-111111111111",
      COMM_WEBHOOK_SECRET: "open sesame",
      BASE_URL: "https://voice.example.com",
    });
    await api.state.hosts.beat(heartbeat("a"));
    const answer = await api.call("GET", "/api/v1/readiness");
    expect(answer.text).toContain("****0188");
    // Numbers are latencies and times, in which any digits may stand.
    expect(JSON.stringify(answer.body, (_, value: unknown) => (typeof value === "number" ? "" : value))).not.toContain(
      "50188",
    );
    expect(answer.text).not.toContain("c2VjcmV0");
  });
});

describe("media sessions", () => {
  it("are agreed on with the defaults and found again", async () => {
    const { call } = await startWith(0);
    const answer = await call("POST", "/api/v1/media/sessions", { call_connection_id: "connection-1" });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: "active",
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        configuration: { channels: 1, chunk_size: 1024, format: "pcm_16", sample_rate: 16_000 },
      },
    });
    const id = /"session_id":"([^"]+)"/.exec(answer.text)?.[1] ?? "";
    expect(answer.body).toHaveProperty(
      "websocket_url",
      expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/v1\/media\/stream\//),
    );
    expect(answer.body).toHaveProperty("websocket_url", expect.stringContaining(id));
    expect(await call("GET", `/api/v1/media/sessions/${id}`)).toMatchObject({
      status: 200,
      body: {
        session_id: id,
        status: "active",
        connection_state: "pending",
        websocket_connected: false,
        version: "v1",
      },
    });
    const { mediaSessions, hosts } = api?.state ?? expect.fail("the API runs");
    await mediaSessions.update(id, 1, { connected: true, hostId: "host-0" });
    const isConnected = async (): Promise<unknown> => (await call("GET", `/api/v1/media/sessions/${id}`)).body;
    expect(await isConnected()).toMatchObject({ connection_state: "disconnected", websocket_connected: false });
    await hosts.beat(heartbeat("host-0"));
    expect(await isConnected()).toMatchObject({ connection_state: "connected", websocket_connected: true });
    await mediaSessions.update(id, 2, { connected: false });
    expect(await isConnected()).toMatchObject({ connection_state: "disconnected", websocket_connected: false });
    expect(await call("GET", "/api/v1/media/sessions/nobody")).toMatchObject({
      status: 404,
      body: { type: "not_found" },
    });
  });

  it("point to the streaming hosts' public address", async () => {
    for (const [environment, prefix] of [
      [{ BASE_URL: "https://api.example.com" }, "wss://api.example.com/v1/media/stream/"],
      [{ STREAMING_HOST_URL: "wss://voice.example.com/" }, "wss://voice.example.com/v1/media/stream/"],
    ] as const) {
      const running = await startApi(environment);
      const answer = await running.call("POST", "/api/v1/media/sessions", { call_connection_id: "c" });
      expect(answer.body).toHaveProperty("websocket_url", expect.stringMatching(new RegExp(`^${prefix}session-`)));
      await running.close();
    }
  });

  it.each([
    [{ audio_format: "opus" }, "audio_format"],
    [{ sample_rate: 44_100 }, "sample_rate"],
    [{ channels: 3 }, "channels"],
    [{ chunk_size: 1023 }, "chunk_size"],
  ])("cannot carry %j", async (changes, field) => {
    const { call } = await startWith(0);
    const answer = await call("POST", "/api/v1/media/sessions", { call_connection_id: "c", ...changes });
    expect(answer).toMatchObject({ status: 400, body: { type: "audio_format_unsupported", errors: [{ field }] } });
  });

  it.each([
    [{}, "call_connection_id", "missing"],
    [{ call_connection_id: "c", sample_rate: "16000" }, "sample_rate", "float_type"],
    [{ call_connection_id: "c", sample_rate: 1.5 }, "sample_rate", "int_type"],
    [{ call_connection_id: "c", enable_vad: "yes" }, "enable_vad", "bool_type"],
    [{ call_connection_id: "c", chunk_size: 0 }, "chunk_size", "greater_than_equal"],
  ])("refuse %j", async (body, field, type) => {
    const { call } = await startWith(0);
    const answer = await call("POST", "/api/v1/media/sessions", body);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", field], type }] } });
  });
});

describe("the other status documents", () => {
  it("say what the specification says", async () => {
    const { call } = await startWith(0);
    expect((await call("GET", "/api/v1/telephony/health")).body).toEqual({ status: "ok", service: "telephony-bridge" });
    expect(await call("GET", "/api/v1/appconfig")).toMatchObject({
      status: 200,
      body: {
        status: "disabled",
        provider: { enabled: false, endpoint: null, label: null, loaded: false, key_count: 0 },
      },
    });
    expect(await call("POST", "/api/v1/appconfig/refresh")).toMatchObject({ status: 200, body: { status: "success" } });
  });
});
