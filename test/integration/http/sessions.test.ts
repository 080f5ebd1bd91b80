import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operatorCommand, operatorTopic } from "@voice/shared/contracts/events/operator-command";
import type { ConversationArchive } from "@voice/shared/archive/conversation-archive";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { newSession as storedSession } from "@voice/shared/state/ports/session-store.contract";
import { MemoryRecordingStore } from "../../../streaming-host/src/testing/memory-recording-store.ts";
import { startApi, type Api } from "./api-harness.ts";

let api: Api;

beforeAll(async () => {
  api = await startApi();
});

afterAll(async () => api.close());

async function newSession(sessionId: string): Promise<void> {
  await api.state.sessions.create({
    sessionId,
    channel: "browser",
    streamingMode: "REALTIME",
    scenario: "default",
    activeAgent: "card-specialist",
    visitedAgents: ["front-desk", "card-specialist"],
    status: "active",
    memory: { caller: "A" },
    createdAtMs: Date.UTC(2026, 0, 1),
  });
  for (const [turn, firstAudio] of [800, 1200, 1000].entries()) {
    const turnId = `turn-${turn}`;
    const item = { agent: "front-desk", turnId, timestampMs: Date.UTC(2026, 0, 1, 0, turn), interrupted: false };
    await api.state.sessions.appendTurn(sessionId, {
      appendId: `${sessionId}-${turnId}`,
      items: [
        { ...item, role: "user", content: `question ${turn}` },
        { ...item, role: "assistant", content: `answer ${turn}`, interrupted: turn === 1 },
      ],
      metrics: { turnId, agent: "front-desk", timestampMs: item.timestampMs, marks: { first_audio: firstAudio } },
    });
  }
}

describe("GET /sessions/{id}", () => {
  it("gives the scenario, the active agent and what was said", async () => {
    await newSession("s-1");
    const answer = await api.call("GET", "/api/v1/sessions/s-1");
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      session_id: "s-1",
      status: "active",
      scenario: "default",
      active_agent: "card-specialist",
      channel: "browser",
      streaming_mode: "REALTIME",
      created_at: "2026-01-01T00:00:00.000Z",
      last_activity_at: expect.stringMatching(/Z$/),
      memory: { caller: "A" },
    });
    expect(answer.body).toHaveProperty("conversation_history.length", 6);
    expect(answer.body).toHaveProperty("conversation_history[3]", {
      role: "assistant",
      content: "answer 1",
      agent: "front-desk",
      turn_id: "turn-1",
      timestamp: "2026-01-01T00:01:00.000Z",
      interrupted: true,
      cut: null,
    });
  });

  it("[TAKE-2c] marks what a host wrote after another one had taken the conversation", async () => {
    const { sessions } = api.state;
    await sessions.create({ ...storedSession("s-late", Date.now()), claimedAtMs: 2 });
    const item = {
      role: "user",
      agent: "desk",
      turnId: "turn-1",
      timestampMs: Date.now(),
      interrupted: false,
    } as const;
    await sessions.appendTurn("s-late", { items: [{ ...item, content: "again" }], appendId: "a", claimedAtMs: 2 });
    await sessions.appendTurn("s-late", { items: [{ ...item, content: "first" }], appendId: "b", claimedAtMs: 1 });
    const { body } = await api.call("GET", "/api/v1/sessions/s-late");
    expect(body).toMatchObject({ conversation_history: [{ content: "again" }, { content: "first", late: true }] });
    expect(body).not.toHaveProperty("conversation_history[0].late");
  });

  it("[GUARD-2] names the guardrails that held back a part of an answer", async () => {
    const { sessions } = api.state;
    await sessions.create({ ...storedSession("s-held", Date.now()), claimedAtMs: 1 });
    const item = {
      role: "assistant",
      agent: "desk",
      turnId: "turn-1",
      timestampMs: Date.now(),
      interrupted: false,
    } as const;
    const items = [
      { ...item, content: "It is a number.", guardrails: ["numbers"] },
      { ...item, content: "Yes." },
    ];
    await sessions.appendTurn("s-held", { items, appendId: "a", claimedAtMs: 1 });
    const { body } = await api.call("GET", "/api/v1/sessions/s-held");
    expect(body).toMatchObject({ conversation_history: [{ guardrails: ["numbers"] }, { content: "Yes." }] });
    expect(body).not.toHaveProperty("conversation_history[1].guardrails");
  });

  it("tells an unknown id from one whose data is gone", async () => {
    const unknown = await api.call("GET", "/api/v1/sessions/nobody");
    expect(unknown).toMatchObject({ status: 404, body: { type: "not_found", instance: "/api/v1/sessions/nobody" } });
    await newSession("s-gone");
    const deleted = await api.call("DELETE", "/api/v1/sessions/s-gone");
    expect(deleted).toMatchObject({ status: 200, body: { status: "success", session_id: "s-gone" } });
    for (const [method, target] of [
      ["GET", "/api/v1/sessions/s-gone"],
      ["GET", "/api/v1/sessions/s-gone/metrics"],
      ["POST", "/api/v1/sessions/s-gone/reset"],
      ["DELETE", "/api/v1/sessions/s-gone"],
    ] as const) {
      expect(await api.call(method, target)).toMatchObject({
        status: 404,
        body: { type: "session_expired", detail: expect.stringContaining("was deleted or has expired") },
      });
    }
  });

  it.each(["a%7Bb%7D", "a%0Ab", "a%2Fb", "x".repeat(129)])("refuses the id %s", async (id) => {
    const answer = await api.call("GET", `/api/v1/sessions/${id}`);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ["path", "session_id"] }] } });
  });
});

describe("DELETE /sessions/{id}", () => {
  it("reaches what a host archives between the archive's deletion and the session's", async () => {
    const archived = new Set<string>();
    let lists = 0;
    let wasCleared = (): void => undefined;
    const cleared = new Promise<void>((resolve) => (wasCleared = resolve));
    const archive: ConversationArchive = {
      keep: async ({ session_id }) => void archived.add(session_id),
      conversationsOf: async () => {
        // The first time it is asked whose they are, the second time what is to be deleted.
        if ((lists += 1) === 2) wasCleared();
        return [...archived].map((sessionId) => ({ sessionId, createdAt: "", recordingIds: [] }));
      },
      read: () => Promise.resolve(undefined),
      list: () => Promise.resolve({ sessions: [], total: 0 }),
      forget: async ({ sessionId }) => archived.delete(sessionId),
    };
    const recordings = new MemoryRecordingStore();
    recordings.deleteAll = async (sessionId) => {
      await cleared;
      archived.add(sessionId);
      return true;
    };
    const parts = { archive: () => Promise.resolve(archive), recordings: () => Promise.resolve(recordings) };
    const own = await startApi({}, { state: api.state, ...parts });
    await newSession("s-just-ended");
    expect((await own.call("DELETE", "/api/v1/sessions/s-just-ended")).status).toBe(200);
    expect([...archived]).toEqual([]);
    await own.close();
  });
});

describe("GET /sessions", () => {
  it("pages, the most recently active first", async () => {
    await newSession("s-list");
    const answer = await api.call("GET", "/api/v1/sessions?limit=1");
    expect(answer).toMatchObject({ status: 200, body: { sessions: [{ session_id: "s-list" }], page: 1, limit: 1 } });
    expect(answer.text).not.toContain("conversation_history");
  });

  it("filters by status, channel and time, and finds one by its id, its call's id or the caller's number", async () => {
    const [sessionId, number] = ["s-phone", "+12025550166"];
    const call = { ...newCall("call-phone", Date.now()), direction: "inbound", callerNumber: number } as const;
    await api.state.calls.create({ ...call, sessionId });
    await api.state.sessions.create({ ...storedSession(sessionId, Date.now()), channel: "phone", status: "ended" });
    const found = { status: 200, body: { total: 1, sessions: [{ session_id: sessionId }] } };
    const none = { status: 200, body: { total: 0, sessions: [] } };
    const list = (query: Record<string, string>) =>
      api.call("GET", `/api/v1/sessions?${new URLSearchParams(query).toString()}`);
    const [from, to] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const time = { from: from ?? "", to: to ?? "" };
    expect(await list({ channel: "phone", status_filter: "ended", ...time })).toMatchObject(found);
    expect(await list({ channel: "telephony" })).toMatchObject(none);
    for (const search of [sessionId, "call-phone", "+1 (202) 555-0166"]) {
      expect(await list({ search, channel: "phone" })).toMatchObject(found);
      expect(await list({ search, status_filter: "active" })).toMatchObject(none);
    }
    expect(await list({ search: "s-nobody" })).toMatchObject(none);
    for (const bad of [
      { status_filter: "over" },
      { channel: "fax" },
      { from: "yesterday" },
      { search: " " },
      { archived: "true", channel: "phone" },
    ])
      expect([bad, (await list(bad)).status]).toEqual([bad, 422]);
    expect(await list({ from: time.to, to: time.from })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["query", "to"], msg: "Should be later than from" }] },
    });
  });
});

describe("GET /sessions/{id}/metrics", () => {
  it("gives every turn's marks and their summary", async () => {
    await newSession("s-metrics");
    const answer = await api.call("GET", "/api/v1/sessions/s-metrics/metrics");
    expect(answer).toMatchObject({
      status: 200,
      body: {
        turn_count: 3,
        latency_summary: {
          first_audio: { avg: 1000, min: 800, max: 1200, p50: 1000, p95: null, p99: null, count: 3 },
        },
        turns: [{ turn_id: "turn-0", marks: { first_audio: 800 } }, {}, {}],
      },
    });
  });
});

describe("GET /sessions/{id}/transcript", () => {
  it("gives what was said as data, as text and as captions, without a recording", async () => {
    await newSession("s-said");
    const path = "/api/v1/sessions/s-said/transcript";
    const { body } = await api.call("GET", path);
    expect(body).toMatchObject({
      session_id: "s-said",
      started_at: "2026-01-01T00:00:00.000Z",
      entries: [
        { speaker: "caller", agent: null, text: "question 0", start_ms: 0, end_ms: 0 },
        { speaker: "agent", agent: "front-desk", text: "answer 0", turn_id: "turn-0" },
        { text: "question 1", start_ms: 59_333, end_ms: 60_000 },
        { text: "answer 1", interrupted: true, start_ms: 60_000, end_ms: 60_000 },
        {},
        {},
      ],
    });
    const { text } = await api.call("GET", `${path}/text`);
    expect(text.split("\n").slice(0, 6)).toEqual([
      "s-said, default, 2026-01-01T00:00:00.000Z",
      "",
      "[00:00:00] caller: question 0",
      "[00:00:00] front-desk: answer 0",
      "[00:00:59] caller: question 1",
      "[00:01:00] front-desk: answer 1 (interrupted)",
    ]);
    const captions = await api.call("GET", `${path}/captions`);
    expect(captions.text).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:00\.001\n<v caller>question 0\n/);
  });
});

describe("GET /sessions/{id}/flight-record", () => {
  it("[FLIGHT-2] gives what was kept, and says how to have it kept", async () => {
    await newSession("s-flight");
    const path = "/api/v1/sessions/s-flight/flight-record";
    const nothing = await api.call("GET", path);
    expect(nothing).toMatchObject({ status: 404, body: { detail: expect.stringContaining("FLIGHT_RECORDER=true") } });
    for (const segment of ['{"wallMs":1}', '{"wallMs":2}']) await api.state.flightLog.append("s-flight", segment, 10);
    expect(await api.call("GET", path)).toMatchObject({
      status: 200,
      body: { session_id: "s-flight", segments: [{ wallMs: 1 }, { wallMs: 2 }] },
    });
  });
});

describe("what is stored of a session piece by piece", () => {
  const message = (type: string, payload: object) => ({
    type,
    session_id: "s-log",
    timestamp: "2026-01-01T00:00:00.000Z",
    payload,
  });
  const sent = (content: string, isWhole: boolean, before: readonly number[] = []) =>
    JSON.stringify({
      atMs: 0,
      kind: "language_model",
      agent: "front-desk",
      settings: {},
      messages: [...before, { role: "user", content }],
      tools: isWhole ? [] : null,
      outcome: "completed",
      isWhole,
    });

  it("[TIMELINE-1] is given in order, and says whether it has the beginning", async () => {
    await newSession("s-log");
    const path = "/api/v1/sessions/s-log/messages";
    expect(await api.call("GET", path)).toMatchObject({ status: 200, body: { is_complete: false, messages: [] } });
    const [begun, said] = [message("session", { resumed: false }), message("transcript", { text: "hello" })];
    for (const piece of [[begun], [said]]) await api.state.messageLog.append("s-log", JSON.stringify(piece), 10);
    expect(await api.call("GET", path)).toMatchObject({ body: { is_complete: true, messages: [begun, said] } });
  });

  it("[TIMELINE-4] has each request to a model whole, from the first that is", async () => {
    await newSession("s-requests");
    const path = "/api/v1/sessions/s-requests/model-requests";
    expect(await api.call("GET", path)).toMatchObject({ status: 404 });
    for (const piece of [sent("lost", false, [0]), sent("one", true), sent("two", false, [0])])
      await api.state.requestLog.append("s-requests", piece, 10);
    expect(await api.call("GET", path)).toMatchObject({
      status: 200,
      body: {
        requests: [
          { messages: [{ content: "one" }], model: null, usage: null },
          { messages: [{ content: "one" }, { content: "two" }], tools: [] },
        ],
      },
    });
  });

  it("[TIMELINE-5] is in the flight record, too", async () => {
    await newSession("s-whole");
    await api.state.flightLog.append("s-whole", '{"wallMs":1}', 10);
    await api.state.messageLog.append("s-whole", JSON.stringify([message("handoff", { from: "a", to: "b" })]), 10);
    await api.state.requestLog.append("s-whole", sent("one", true), 10);
    expect(await api.call("GET", "/api/v1/sessions/s-whole/flight-record")).toMatchObject({
      body: { segments: [{ wallMs: 1 }], messages: [{ type: "handoff" }], model_requests: [{ agent: "front-desk" }] },
    });
  });
});

describe("POST /sessions/{id}/reset", () => {
  it("starts a fresh conversation under a new id and ends the old one", async () => {
    await newSession("s-reset");
    const answer = await api.call("POST", "/api/v1/sessions/s-reset/reset");
    expect(answer).toMatchObject({
      status: 200,
      body: { previous_session_id: "s-reset", status: "reset", scenario: "default", active_agent: "front-desk" },
    });
    const id = /"session_id":"([^"]+)"/.exec(answer.text)?.[1] ?? "";
    expect(id).not.toBe("s-reset");
    const fresh = await api.call("GET", `/api/v1/sessions/${id}`);
    expect(fresh).toMatchObject({ status: 200, body: { conversation_history: [], memory: {}, status: "active" } });
    expect(await api.call("GET", "/api/v1/sessions/s-reset")).toMatchObject({ body: { status: "ended" } });
  });

  it("[OPS-5] has a conversation that is in progress ended, also when it is deleted, and no other", async () => {
    const commands: string[] = [];
    const stop = await api.state.broadcasts.listen(operatorTopic, (text) => void commands.push(text));
    for (const [sessionId, hostId] of [
      ["s-live", "host-1"],
      ["s-live-too", "host-1"],
      ["s-alone", undefined],
    ] as const)
      await api.state.sessions.create({ ...storedSession(sessionId, Date.now()), status: "active", hostId });
    await api.call("POST", "/api/v1/sessions/s-live/reset");
    await api.call("POST", "/api/v1/sessions/s-live/reset");
    await api.call("DELETE", "/api/v1/sessions/s-live-too");
    await api.call("POST", "/api/v1/sessions/s-alone/reset");
    stop();
    expect(commands.map((text) => operatorCommand.parse(JSON.parse(text)))).toEqual([
      { type: "end", sessionId: "s-live", reason: "reset" },
      { type: "end", sessionId: "s-live-too", reason: "deleted" },
    ]);
  });

  it("takes the session's own agents and scenarios along", async () => {
    await newSession("s-own");
    const agent = { name: "Helper", prompt: "You help with everything.", session_id: "s-own" };
    expect((await api.call("POST", "/api/v1/agents", agent)).status).toBe(200);
    const scenario = { name: "help", start_agent: "Helper", agents: ["Helper"], session_id: "s-own" };
    expect((await api.call("POST", "/api/v1/scenarios", scenario)).status).toBe(200);
    const answer = await api.call("POST", "/api/v1/sessions/s-own/reset");
    const id = /"session_id":"([^"]+)"/.exec(answer.text)?.[1] ?? "";
    expect((await api.call("GET", `/api/v1/agents/Helper?session_id=${id}`)).status).toBe(200);
    expect((await api.call("GET", `/api/v1/scenarios/help?session_id=${id}`)).status).toBe(200);
  });

  it("begins with the agent that was made for the session, as the session did", async () => {
    await newSession("s-agent");
    const agent = { name: "Helper", prompt: "You help with everything.", session_id: "s-agent" };
    expect((await api.call("POST", "/api/v1/agents", agent)).status).toBe(200);
    expect(await api.call("POST", "/api/v1/sessions/s-agent/reset")).toMatchObject({
      body: { scenario: "default", active_agent: "Helper" },
    });
  });
});

describe("ids of dots alone", () => {
  it.each([".", ".."])("are refused (%s), because no URL could name the session later", async (id) => {
    expect(await api.call("POST", "/api/v1/realtime/token", { session_id: id })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "session_id"], msg: expect.stringContaining("neither . nor ..") }] },
    });
  });
});
