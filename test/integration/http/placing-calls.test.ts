/** Who may be called, by whom and how often (PLACE in docs/calls.md). */
import { afterEach, describe, expect, it } from "vitest";
import { VoiceError } from "@voice/shared/platform/errors";
import { systemClock } from "@voice/shared/platform/clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { heartbeat } from "@voice/shared/state/ports/small-stores.contract";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { noTelemetry, type Telemetry } from "@voice/shared/telemetry/telemetry";
import type { Environment } from "@voice/shared/config/load";
import type { Parts } from "../../../functions/src/compose.ts";
import { productionSettings, startApi, type Api, type ApiAnswer } from "./api-harness.ts";

const opened: Api[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((api) => api.close()));
});

async function start(environment: Environment = {}, parts: Partial<Parts> = {}): Promise<Api> {
  const api = await startApi(environment, parts);
  opened.push(api);
  return api;
}

function counting(): { readonly telemetry: Telemetry; readonly outcomes: string[] } {
  const outcomes: string[] = [];
  const telemetry: Telemetry = {
    ...noTelemetry,
    count: (name, attributes) => {
      if (name === "voice.calls.requested") outcomes.push(String(attributes?.["outcome"]));
    },
  };
  return { telemetry, outcomes };
}

const place = (api: Api, number = "+14255550123", headers = {}): Promise<ApiAnswer> =>
  api.call("POST", "/api/v1/calls/initiate", { target_number: number }, headers);

const refusal = (status: number, code: string) => ({
  status,
  body: { type: status === 403 ? "forbidden" : "rate_limited", errors: [{ code, message: expect.any(String) }] },
});

describe("[PLACE-1] emergency and premium numbers", () => {
  it.each(["target_number", "phone_number"])("are refused in %s, and no call is recorded", async (field) => {
    const api = await start({ CALL_ALLOWED_DESTINATIONS: "any" });
    for (const number of ["+1911", "+112", "+15", "+19005550100", "+448712345678", "+979123456789"]) {
      const answer = await api.call("POST", "/api/v1/calls/initiate", { [field]: number });
      expect(answer).toMatchObject(refusal(403, "number_special"));
      expect(answer.body).toMatchObject({ errors: [{ field }] });
      expect(answer.text).not.toContain(number);
    }
    expect((await api.state.calls.list({ offset: 0, limit: 1 })).total).toBe(0);
  });
});

describe("[PLACE-2] the setting", () => {
  it("lets only those countries and prefixes be called that it names", async () => {
    const api = await start({ CALL_ALLOWED_DESTINATIONS: "US,+4930" });
    expect(await place(api)).toMatchObject({ status: 200 });
    expect(await place(api, "+4930123456")).toMatchObject({ status: 200 });
    const answer = await place(api, "+4989123456");
    expect(answer).toMatchObject(refusal(403, "destination_not_allowed"));
    expect(answer.body).toMatchObject({ detail: expect.stringContaining("CALL_ALLOWED_DESTINATIONS") });
  });

  it("has to be there in production", async () => {
    const api = await start(productionSettings);
    const answer = await place(api);
    expect(answer).toMatchObject(refusal(403, "destination_not_allowed"));
    expect(answer.body).toMatchObject({ detail: expect.stringContaining("CALL_ALLOWED_DESTINATIONS is not set") });
    const telephone = { callControl: { name: "azure", healthy: true } };
    await api.state.hosts.beat({ ...heartbeat("host-1"), providers: telephone });
    expect((await api.call("GET", "/api/v1/readiness")).text).toContain("places none until CALL_ALLOWED_DESTINATIONS");
  });
});

it("[PLACE-3] an operator transfers a call to no number that a client could not have called, but to the settings' own", async () => {
  const api = await start({ CALL_ALLOWED_DESTINATIONS: "US", COMM_DESTINATIONS: "person=+4930123456" });
  const session = { ...newSession("session-1", Date.now()), channel: "phone", hostId: "host-1" } as const;
  await api.state.sessions.create(session);
  const transfer = (number: string): Promise<ApiAnswer> =>
    api.call("POST", "/api/v1/sessions/session-1/transfer", { target_number: number });
  expect(await transfer("+19005550100")).toMatchObject(refusal(403, "number_special"));
  expect(await transfer("+911")).toMatchObject(refusal(403, "number_special"));
  expect(await transfer("+4989123456")).toMatchObject(refusal(403, "destination_not_allowed"));
  expect(await transfer("+12025550123")).toMatchObject({ status: 202 });
  expect(await transfer("+4930123456")).toMatchObject({ status: 202 });
});

describe("[PLACE-5] in an hour", () => {
  it("each client places as many calls as it may, and is told when to come again", async () => {
    const api = await start({ MAX_CALLS_PER_HOUR: "3" });
    for (let placed = 0; placed < 3; placed += 1) expect(await place(api)).toMatchObject({ status: 200 });
    const answer = await place(api);
    expect(answer).toMatchObject(refusal(429, "quota_exceeded"));
    expect(answer.body).toMatchObject({ errors: [{ message: expect.stringContaining("MAX_CALLS_PER_HOUR") }] });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(3500);
  });

  it("all clients together place as many as they may", async () => {
    const api = await start({ MAX_SERVICE_CALLS_PER_HOUR: "2" });
    const answers = await Promise.all(Array.from({ length: 6 }, () => place(api)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });

  it("a request that is repeated under its key counts once, and so does one that is refused for another reason not at all", async () => {
    const api = await start({ MAX_CALLS_PER_HOUR: "2" });
    for (let repeated = 0; repeated < 4; repeated += 1)
      expect(await place(api, undefined, { "idempotency-key": "one" })).toMatchObject({ status: 200 });
    for (let refused = 0; refused < 4; refused += 1) expect(await place(api, "+1911")).toMatchObject({ status: 403 });
    expect(await place(api)).toMatchObject({ status: 200 });
    expect(await place(api)).toMatchObject({ status: 429 });
  });
});

describe("[PLACE-6] at the same time", () => {
  it("as many calls of one client are under way as may be, however many it asks for at once", async () => {
    const api = await start({ MAX_CALLS_AT_ONCE: "3" });
    const answers = await Promise.all(Array.from({ length: 12 }, () => place(api)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused).toMatchObject(refusal(429, "quota_exceeded"));
    expect(refused?.headers.get("retry-after")).toBe("10");
  });

  it("a call that has ended makes room for another one", async () => {
    const api = await start({ MAX_SERVICE_CALLS_AT_ONCE: "1" });
    expect(await place(api)).toMatchObject({ status: 200 });
    expect(await place(api)).toMatchObject(refusal(429, "quota_exceeded"));
    const [placed] = (await api.state.calls.list({ offset: 0, limit: 1 })).calls;
    if (placed === undefined) throw new Error("no call");
    await api.state.calls.update(placed.call.callId, placed.call.version, { status: "failed", endedAtMs: Date.now() });
    expect(await place(api)).toMatchObject({ status: 200 });
  });
});

it("[ACCESS-29] the context of a call is counted once, however often its request is repeated, and not for a call that is refused", async () => {
  // Twelve of them fit into the quota.
  const context = { note: "n".repeat(7900) };
  const api = await start({ MAX_STORED_BYTES_PER_HOUR: "100000" });
  const send = (changes: object, headers = {}): Promise<ApiAnswer> =>
    api.call("POST", "/api/v1/calls/initiate", { target_number: "+14255550123", context, ...changes }, headers);
  for (const refused of [{ scenario: "unheard-of" }, { language: "xx-nowhere" }, { target_number: "+1911" }])
    expect((await send(refused)).status).toBeGreaterThan(400);
  for (let repeated = 0; repeated < 5; repeated += 1)
    expect(await send({}, { "idempotency-key": "one" })).toMatchObject({ status: 200 });
  for (let placed = 1; placed < 12; placed += 1) expect(await send({})).toMatchObject({ status: 200 });
  expect(await send({})).toMatchObject({ status: 429, body: { detail: expect.stringContaining("bytes") } });
});

it("[PLACE-7] nothing is placed while the store cannot count", async () => {
  const state = createMemoryState({ clock: systemClock });
  const refuse = (): Promise<never> => Promise.reject(new VoiceError("cache_connection_failed", "away"));
  const counters = { ...state.counters, add: refuse, clear: refuse, hold: refuse, holders: refuse, release: refuse };
  const api = await start({}, { state: { ...stateOf(state), counters } });
  expect(await place(api)).toMatchObject({ status: 503, body: { type: "cache_connection_failed" } });
  expect((await state.calls.list({ offset: 0, limit: 1 })).total).toBe(0);
});

function stateOf(state: ReturnType<typeof createMemoryState>) {
  return { ...state, close: () => state.close() };
}

it("[PLACE-8] every request to place a call is counted, with why it was refused", async () => {
  const { telemetry, outcomes } = counting();
  const api = await start(
    { CALL_ALLOWED_DESTINATIONS: "US", MAX_CALLS_PER_HOUR: "1", COMM_PHONE_NUMBER: "+14255550100", ...local },
    { telemetry },
  );
  for (const number of ["+14255550123", "+1911", "+4930123456", "+14255550100", "+14255550123"])
    await place(api, number);
  expect(outcomes).toEqual([
    "accepted",
    "number_special",
    "destination_not_allowed",
    "number_not_callable",
    "quota_exceeded",
  ]);
});

const local = {
  COMM_CONNECTION_STRING: "endpoint=http://127.0.0.1:9/;accesskey=c2VjcmV0",
  BASE_URL: "http://127.0.0.1:9",
};
