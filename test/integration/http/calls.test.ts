import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyHandler } from "@voice/shared/state/ports/event-bus.contract";
import type { CallEvent } from "@voice/shared/contracts/events/call-event";
import { heartbeat } from "@voice/shared/state/ports/small-stores.contract";
import { startApi, type Api } from "./api-harness.ts";

let api: Api;
const published: CallEvent[] = [];

beforeAll(async () => {
  api = await startApi();
  const record = async (event: CallEvent): Promise<void> => void published.push(event);
  await api.state.events.subscribe(everyHandler(record));
});

afterAll(async () => api.close());

async function initiate(body: unknown = { target_number: "+14255550123" }): Promise<string> {
  const answer = await api.call("POST", "/api/v1/calls/initiate", body);
  expect(answer).toMatchObject({ status: 200, body: { status: "initiating" } });
  return textOf(answer.body, "call_id");
}

function textOf(body: unknown, field: string): string {
  expect(body).toHaveProperty(field);
  return String(Object.entries(body ?? {}).find(([name]) => name === field)?.[1]);
}

async function eventFor(callId: string, type: CallEvent["type"]): Promise<CallEvent> {
  return expect
    .poll(() => published.find((event) => event.subject === callId && event.type === type))
    .toBeDefined()
    .then(() => {
      const found = published.find((event) => event.subject === callId && event.type === type);
      if (found === undefined) throw new Error("no such event");
      return found;
    });
}

describe("POST /calls/initiate", () => {
  it("answers with exactly the declared fields and publishes the event", async () => {
    const answer = await api.call("POST", "/api/v1/calls/initiate", { target_number: "+14255550123" });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      call_id: expect.stringMatching(/^call-/),
      status: "initiating",
      target_number: "+14255550123",
      message: "Call initiation requested",
    });
    const event = await eventFor(textOf(answer.body, "call_id"), "call.initiation-requested");
    expect(JSON.stringify(event)).not.toContain("4255550123");
  });

  it("takes the second published shape", async () => {
    const answer = await api.call("POST", "/api/v1/calls/initiate", {
      phone_number: "+14255550123",
      scenario: "default",
    });
    expect(answer).toMatchObject({ status: 200, body: { status: "initiating", target_number: "+14255550123" } });
    const call = await api.state.calls.get(textOf(answer.body, "call_id"));
    expect(call).toMatchObject({ scenario: "default", direction: "outbound", streamingMode: "MEDIA" });
  });

  it("[OUT-8] places one call for one Idempotency-Key, and refuses it to another wish", async () => {
    const headers = { "Idempotency-Key": "order-17" };
    const body = { target_number: "+14255550123", context: { a: 1, b: 2 } };
    const first = await api.call("POST", "/api/v1/calls/initiate", body, headers);
    expect(first.status).toBe(200);
    const reordered = { context: { b: 2, a: 1 }, target_number: "+14255550123" };
    const again = await api.call("POST", "/api/v1/calls/initiate", reordered, headers);
    expect(again).toMatchObject({ status: 200, body: first.body });
    const callId = textOf(first.body, "call_id");
    await eventFor(callId, "call.initiation-requested");
    expect(published.filter(({ subject }) => subject === callId)).toHaveLength(1);
    const other = { ...body, target_number: "+14255550124" };
    expect(await api.call("POST", "/api/v1/calls/initiate", other, headers)).toMatchObject({
      status: 409,
      body: { type: "conflict" },
    });
    const anotherKey = await api.call("POST", "/api/v1/calls/initiate", other, { "Idempotency-Key": "order-18" });
    expect(textOf(anotherKey.body, "call_id")).not.toBe(callId);
    const endless = { "Idempotency-Key": "x".repeat(256) };
    expect((await api.call("POST", "/api/v1/calls/initiate", body, endless)).status).toBe(400);
  });

  it("[OUT-8] places one call when two requests with one key come at once", async () => {
    const headers = { "Idempotency-Key": "order-19" };
    const both = await Promise.all(
      [1, 2].map(() => api.call("POST", "/api/v1/calls/initiate", { target_number: "+14255550123" }, headers)),
    );
    expect(new Set(both.map(({ body }) => textOf(body, "call_id"))).size).toBe(1);
  });

  it("[OUT-8] keeps no place for a request that lost its key to another one at the same time", async () => {
    const headers = { "Idempotency-Key": "order-21" };
    const before = await api.state.callPlaces.kept();
    const both = await Promise.all(
      ["+14255550123", "+14255550124"].map((target) =>
        api.call("POST", "/api/v1/calls/initiate", { target_number: target }, headers),
      ),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await api.state.callPlaces.kept()).toBe(before + 1);
  });

  it("[FULL-3] places no call while all hosts are full, but answers for one that was placed", async () => {
    const headers = { "Idempotency-Key": "order-20" };
    const body = { target_number: "+14255550123" };
    const placed = await api.call("POST", "/api/v1/calls/initiate", body, headers);
    const full = heartbeat("host-1");
    const providers = { ...full.providers, callControl: { name: "azure", healthy: true } };
    await api.state.hosts.beat({ ...full, providers, placesTaken: full.maxSessions });
    const refused = await api.call("POST", "/api/v1/calls/initiate", body);
    expect(refused).toMatchObject({
      status: 503,
      body: { type: "dependency_not_ready", detail: expect.stringContaining("all places for calls are taken") },
    });
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await api.call("POST", "/api/v1/calls/initiate", body, headers)).toMatchObject({ body: placed.body });
    await api.state.hosts.remove("host-1");
  });

  it("[OUT-9] places no call where no host has a telephone, and says which settings are missing", async () => {
    await api.state.hosts.beat(heartbeat("host-1"));
    const refused = await api.call("POST", "/api/v1/calls/initiate", { target_number: "+14255550123" });
    expect(refused).toMatchObject({
      status: 503,
      body: { type: "dependency_not_ready", detail: expect.stringContaining("COMM_CONNECTION_STRING") },
    });
    await api.state.hosts.remove("host-1");
  });

  it("keeps everything it was told", async () => {
    const callId = await initiate({
      target_number: "+14255550123",
      caller_id: "+14255550100",
      context: { customer: { tier: "gold" } },
      streaming_mode: "voice_live",
      record_call: true,
    });
    expect(await api.state.calls.get(callId)).toMatchObject({
      callerNumber: "+14255550100",
      context: { customer: { tier: "gold" } },
      streamingMode: "VOICE_LIVE",
      recording: true,
    });
  });

  it.each([
    [{ streaming_mode: "voice_live" }, undefined, "VOICE_LIVE"],
    [{ streaming_mode: "voice_live" }, "transcription", "TRANSCRIPTION"],
    [{ streaming_mode: "as you like" }, undefined, "MEDIA"],
    [{ streaming_mode: 1 }, null, "MEDIA"],
  ])(
    "takes the mode from the context %o where the request names %s, as older clients send it: %s",
    async (...given) => {
      const [context, asked, mode] = given;
      const callId = await initiate({ target_number: "+14255550123", context, streaming_mode: asked });
      expect(await api.state.calls.get(callId)).toMatchObject({ context, streamingMode: mode });
    },
  );

  it("[OUT-6c] keeps the context and who is to take the call, in the second shape too", async () => {
    const context = { caller_name: "Pat", purpose: "a renewal" };
    const callId = await initiate({
      phone_number: "+14255550123",
      scenario: "insurance",
      agent: "claims-intake",
      context,
    });
    expect(await api.state.calls.get(callId)).toMatchObject({ scenario: "insurance", agent: "claims-intake", context });
  });

  it.each([
    ["agent", { agent: "claims-intake" }, "front-desk"],
    ["context", { context: { notes: "x".repeat(20_000) } }, "16384"],
  ])("[OUT-6c] refuses an %s that it could not honour", async (field, part, says) => {
    const answer = await api.call("POST", "/api/v1/calls/initiate", { target_number: "+14255550123", ...part });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", field], msg: expect.stringContaining(says) }] },
    });
  });

  it("takes null for what may be absent", async () => {
    const callId = await initiate({ target_number: "+14255550123", caller_id: null, context: null });
    expect(await api.state.calls.get(callId)).toMatchObject({ targetNumber: "+14255550123", context: {} });
  });

  it.each([
    ["4255550123", "string_pattern_mismatch"],
    ["+0123", "string_pattern_mismatch"],
    ["+1", "string_pattern_mismatch"],
    ["+1234567890123456", "string_pattern_mismatch"],
    [" +14255550123", "string_pattern_mismatch"],
    ["+14255550123\n", "string_pattern_mismatch"],
    [14_255_550_123, "string_type"],
    [undefined, "missing"],
  ])("refuses the number %j", async (number, type) => {
    const answer = await api.call("POST", "/api/v1/calls/initiate", { target_number: number });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "target_number"], msg: expect.any(String), type }] },
    });
  });

  it("refuses to call its own number, and a scenario that there is not", async () => {
    const own = { target_number: "+14255550123", caller_id: "+14255550123" };
    expect(await api.call("POST", "/api/v1/calls/initiate", own)).toMatchObject({
      status: 400,
      body: { type: "pstn_number_invalid", errors: [{ field: "target_number" }] },
    });
    const misspelt = { phone_number: "+14255550123", scenario: "bankng" };
    expect(await api.call("POST", "/api/v1/calls/initiate", misspelt)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "scenario"], msg: expect.stringContaining("banking") }] },
    });
  });

  it.each([
    ["language", "xx-XX"],
    ["language", "de-12"],
    ["time_zone", "Mars/Base"],
  ])("refuses the %s %s, which there is not", async (field, value) => {
    const body = { target_number: "+14255550123", [field]: value };
    expect(await api.call("POST", "/api/v1/calls/initiate", body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", field], msg: expect.stringContaining("there is no such") }] },
    });
  });

  it("refuses a field that it does not know, in either shape", async () => {
    for (const body of [
      { target_number: "+14255550123", nickname: "x" },
      { phone_number: "+14255550123", nickname: "x" },
    ]) {
      const answer = await api.call("POST", "/api/v1/calls/initiate", body);
      expect(answer).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ["body", "nickname"], type: "extra_forbidden" }] },
      });
    }
  });
});

describe("GET /calls/", () => {
  it("lists the newest first, with and without the slash", async () => {
    const first = await initiate();
    const second = await initiate();
    for (const target of ["/api/v1/calls/", "/api/v1/calls"]) {
      const answer = await api.call("GET", `${target}?limit=2`);
      expect(answer).toMatchObject({
        status: 200,
        body: {
          calls: [{ call_id: second, status: "initiating", duration: null }, { call_id: first }],
          page: 1,
          limit: 2,
        },
      });
    }
  });

  it("pages and filters", async () => {
    const older = await initiate();
    await initiate();
    const page = await api.call("GET", "/api/v1/calls/?limit=1&page=2");
    expect(page).toMatchObject({ status: 200, body: { calls: [{ call_id: older }], page: 2, limit: 1 } });
    const none = await api.call("GET", "/api/v1/calls/?status_filter=on_hold");
    expect(none.body).toEqual({ calls: [], total: 0, page: 1, limit: 10 });
  });

  it("finds calls by the number at the far end however it is written, and one by its id", async () => {
    const callId = await initiate({ target_number: "+14255550199" });
    const found = { body: { total: 1, calls: [{ call_id: callId, outcome: "in_progress", end_reason: null }] } };
    const from = new Date(Date.now() - 60_000).toISOString();
    for (const search of ["+14255550199", "+1 (425) 555-0199", callId]) {
      const query = new URLSearchParams({ search, from, direction: "outbound", outcome: "in_progress" });
      for (const [name, other] of [
        ["direction", "inbound"],
        ["outcome", "busy"],
        ["from", new Date(Date.now() + 60_000).toISOString()],
      ] as const) {
        const otherQuery = new URLSearchParams(query);
        otherQuery.set(name, other);
        expect(await api.call("GET", `/api/v1/calls/?${otherQuery.toString()}`)).toMatchObject({ body: { total: 0 } });
      }
      query.delete("outcome");
      expect(await api.call("GET", `/api/v1/calls/?${query.toString()}`)).toMatchObject(found);
      expect(await api.call("GET", `/api/v1/calls/?${query.toString()}&status_filter=failed`)).toMatchObject({
        body: { total: 0 },
      });
    }
    // A plus that is not escaped arrives as a space.
    expect(await api.call("GET", "/api/v1/calls/?search=+14255550199")).toMatchObject(found);
    expect(await api.call("GET", "/api/v1/calls/?search=call-nobody")).toMatchObject({ body: { total: 0, calls: [] } });
  });

  it("shows nobody as connected in a call that is over", async () => {
    const callId = await initiate({ target_number: "+14255550198" });
    const participants = [{ id: "4:+14255550198", role: "callee", status: "connected" }];
    const shown = async () => (await api.call("GET", `/api/v1/calls/?search=${callId}`)).body;
    const { version } = await api.state.calls.update(callId, 1, { status: "connected", participants });
    expect(await shown()).toMatchObject({ calls: [{ participants: [{ role: "callee", status: "connected" }] }] });
    await api.state.calls.update(callId, version, { status: "disconnected" });
    expect(await shown()).toMatchObject({ calls: [{ participants: [{ role: "callee", status: "disconnected" }] }] });
  });

  it.each([
    "limit=0",
    "limit=101",
    "limit=ten",
    "limit=",
    "limit=1&limit=2",
    "page=0",
    "page=-1",
    "page=1.5",
    "status_filter=busy",
    "search=",
    "outcome=gone",
    "outcome=busy&status_filter=failed",
    "direction=sideways",
    "from=yesterday",
    "to=2026-03-01&from=2026-03-02T00:00:00Z",
  ])("refuses ?%s", async (query) => {
    const answer = await api.call("GET", `/api/v1/calls/?${query}`);
    const [name] = query.split("=");
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ["query", name] }] } });
  });
});

it("says in which form a number is read", async () => {
  for (const page of ["1e2", "ten", "0x10"])
    expect(await api.call("GET", `/api/v1/calls/?page=${page}`)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["query", "page"], msg: "Input should be a whole number in digits" }] },
    });
  expect(await api.call("GET", "/api/v1/calls/?limit=500")).toMatchObject({
    body: { detail: [{ msg: "Too big: expected number to be <=100" }] },
  });
});

describe("POST /calls/terminate", () => {
  it("asks for the hang-up of a call by its connection or by its id", async () => {
    const callId = await initiate();
    const call = await api.state.calls.get(callId);
    await api.state.calls.update(callId, call?.version ?? 0, { status: "connected", callConnectionId: "connection-1" });
    const answer = await api.call("POST", "/api/v1/calls/terminate", { connection_id: "connection-1" });
    expect(answer).toMatchObject({
      status: 200,
      body: { call_id: callId, connection_id: "connection-1", status: "terminated" },
    });
    expect(await eventFor(callId, "call.termination-requested")).toMatchObject({
      data: { call_id: callId, call_connection_id: "connection-1", reason: "normal" },
    });
    const other = { connection_id: "connection-1", session_id: "session-of-somebody" };
    expect(await api.call("POST", "/api/v1/calls/terminate", other)).toMatchObject({
      status: 409,
      body: { type: "conflict", errors: [{ field: "session_id", code: "session_mismatch" }] },
    });
    const again = await api.call("POST", "/api/v1/calls/terminate", { call_id: callId, reason: "operator" });
    expect(again.status).toBe(200);
  });

  it("knows neither an unknown call nor an ended one", async () => {
    const unknown = await api.call("POST", "/api/v1/calls/terminate", { connection_id: "nobody" });
    expect(unknown).toMatchObject({ status: 404, body: { type: "call_not_found", status_code: 404 } });
    const callId = await initiate();
    await api.state.calls.update(callId, 1, { status: "failed" });
    const ended = await api.call("POST", "/api/v1/calls/terminate", { call_id: callId });
    expect(ended).toMatchObject({ status: 409, body: { type: "conflict" } });
  });

  it("refuses an empty reason, because the list of calls could not say why the call ended", async () => {
    const answer = await api.call("POST", "/api/v1/calls/terminate", { call_id: "call-x", reason: " " });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "reason"] }] } });
  });

  it("needs an id", async () => {
    const answer = await api.call("POST", "/api/v1/calls/terminate", {});
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "connection_id"], type: "missing" }] },
    });
  });
});
