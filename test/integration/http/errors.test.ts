/** Everything that can go wrong with a request, and what the contract says of it. */
import { connect } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger, type Logger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { State } from "@voice/shared/state/ports/state";
import { timeOf } from "../../support/wait.ts";
import { startApi, type Api } from "./api-harness.ts";

const initiate = "/api/v1/calls/initiate";
const goodCall = { target_number: "+14255550123" };

let api: Api;

beforeEach(async () => {
  api = await startApi();
});

afterEach(async () => api.close());

/** The problem body, all of it and nothing else. */
function problem(status: number, type: string) {
  return {
    status,
    body: expect.toSatisfy((body: object) => {
      expect(body).toEqual({
        detail: expect.any(String),
        status_code: status,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        type,
        instance: expect.stringMatching(/^\//),
        errors: expect.any(Array),
      });
      return true;
    }),
  };
}

describe("a request that cannot be read", () => {
  it.each(["{", "{'a':1}", "nul", '{"target_number":"+1"', "\u0000"])(
    "is 400 for the malformed JSON %j",
    async (body) => {
      const answer = await api.call("POST", initiate, body);
      expect(answer).toMatchObject(problem(400, "validation_error"));
      expect(answer).toMatchObject({ body: { errors: [{ field: "body", code: "json_invalid" }] } });
    },
  );

  it("is 400 for a body of another type, and read where the type is left out", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
    ]) {
      expect(await api.call("POST", initiate, JSON.stringify(goodCall), { "content-type": type })).toMatchObject(
        problem(400, "validation_error"),
      );
    }
    for (const type of ["application/json; charset=utf-8", "application/cloudevents+json", "text/json"]) {
      expect((await api.call("POST", initiate, JSON.stringify(goodCall), { "content-type": type })).status).toBe(200);
    }
    const untyped = await fetch(api.url + initiate, { method: "POST", body: Buffer.from(JSON.stringify(goodCall)) });
    expect(untyped.status).toBe(200);
  });

  it("is 422 for an empty body, and for a chunked one, which arrives empty, also where none is needed", async () => {
    expect(await api.call("POST", initiate)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body"], msg: "Field required", type: "missing" }] },
    });
    for (const path of [initiate, "/api/v1/profiles/generate", "/api/v1/realtime/token"]) {
      const chunked = await raw(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      );
      expect(chunked).toMatch(/^HTTP\/1\.1 422/);
      expect(chunked).toContain("Content-Length");
    }
  });

  it("is 422 for a flag that is neither true nor false, in any letter case", async () => {
    expect((await api.call("GET", "/api/v1/agents?include_state=True")).status).toBe(200);
    expect(await api.call("GET", "/api/v1/agents?include_state=yes")).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["query", "include_state"], msg: "Should be true or false", type: "bool_type" }] },
    });
  });

  it("is 413 when it is larger than the service reads", async () => {
    const body = JSON.stringify({ ...goodCall, context: { padding: "x".repeat(1_100_000) } });
    expect(await api.call("POST", initiate, body)).toMatchObject(problem(413, "validation_error"));
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)(
    "is read where it is compressed with %s, and 413 where it becomes too large",
    async (coding, compress) => {
      const compressed = (body: unknown) =>
        fetch(api.url + initiate, {
          method: "POST",
          headers: { "content-type": "application/json", "content-encoding": coding },
          body: compress(JSON.stringify(body)),
        });
      expect((await compressed(goodCall)).status).toBe(200);
      const bomb = await compressed({ ...goodCall, context: { padding: "x".repeat(5_000_000) } });
      expect({ status: bomb.status, body: await bomb.json() }).toMatchObject(problem(413, "validation_error"));
    },
  );

  it("is 415 for another coding, which says which are read, and 400 for what is not what it says", async () => {
    const unknown = await api.call("POST", initiate, goodCall, { "content-encoding": "zstd" });
    expect(unknown).toMatchObject(problem(415, "validation_error"));
    expect(unknown.headers.get("accept-encoding")).toBe("gzip, deflate, br");
    const wrong = await api.call("POST", initiate, goodCall, { "content-encoding": "gzip" });
    expect(wrong).toMatchObject(problem(400, "validation_error"));
    expect(wrong).toMatchObject({ body: { errors: [{ code: "content_encoding_invalid" }] } });
    const identity = await api.call("POST", initiate, goodCall, { "content-encoding": "identity" });
    expect(identity.status).toBe(200);
  });

  it("is 400 when it is nested deeper than anyone nests", async () => {
    const body = `{"target_number":"+14255550123","context":{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`;
    const answer = await api.call("POST", initiate, body);
    expect(answer).toMatchObject(problem(400, "validation_error"));
    expect(answer).toMatchObject({ body: { errors: [{ code: "json_too_deep" }] } });
  });

  it("is 400 when it holds more values than anything that is sent here, before any is looked at", async () => {
    const keys = Array.from({ length: 10_001 }, (_, at) => `"k${at}":1`).join(",");
    const answer = await api.call("POST", initiate, `{"target_number":"+14255550123","context":{${keys}}}`);
    expect(answer).toMatchObject(problem(400, "validation_error"));
    expect(answer).toMatchObject({ body: { errors: [{ code: "json_too_large" }] } });
  });
});

describe("a request that does not fit the schema", () => {
  it.each([
    [[], ["body"], "dict_type"],
    ['"text"', ["body"], "dict_type"],
    ["null", ["body"], "dict_type"],
    [{ ...goodCall, context: "gold" }, ["body", "context"], "dict_type"],
    [{ ...goodCall, record_call: "yes" }, ["body", "record_call"], "bool_type"],
    [{ ...goodCall, streaming_mode: "morse" }, ["body", "streaming_mode"], "enum"],
    [{ ...goodCall, __proto__x: 1 }, ["body", "__proto__x"], "extra_forbidden"],
  ])("is 422 for %j", async (body, loc, type) => {
    const answer = await api.call("POST", initiate, body);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc, type, msg: expect.any(String) }] } });
  });

  it("never answers with more complaints than anyone reads", async () => {
    const body = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field_${index}`, index]));
    const answer = await api.call("POST", initiate, body);
    expect(answer.status).toBe(422);
    expect(answer.text.length).toBeLessThan(10_000);
  });
});

describe("a request that leads nowhere", () => {
  it.each([
    "/",
    "/nothing",
    "/api/v1",
    "/api/v1/unknown",
    "/api/v2/health",
    "/api/v1/sessions/a/b/c",
    "//api/v1/health",
    "/admin/host/status",
    "/api/v1/../../etc/passwd",
    "/%00",
  ])("is 404 at %s", async (target) => {
    expect(await api.call("GET", target)).toMatchObject(problem(404, "not_found"));
  });

  it.each([
    ["POST", "/api/v1/health", "GET, HEAD, OPTIONS"],
    ["DELETE", "/api/v1/calls/", "GET, HEAD, OPTIONS"],
    // DELETE: of the call whose id is "initiate".
    ["GET", "/api/v1/calls/initiate", "POST, DELETE, OPTIONS"],
    ["PATCH", "/api/v1/agents/front-desk", "GET, HEAD, PUT, OPTIONS"],
    ["PUT", "/API/V1/Sessions/x/", "GET, HEAD, DELETE, OPTIONS"],
    ["POST", "/docs", "GET, HEAD, OPTIONS"],
  ])("is 405 for %s %s", async (method, target, allow) => {
    const answer = await api.call(method, target);
    expect(answer).toMatchObject(problem(405, "method_not_allowed"));
    expect(answer.headers.get("allow")).toBe(allow);
  });

  it("learns the methods from OPTIONS, and the head from HEAD", async () => {
    const options = await api.call("OPTIONS", "/api/v1/agents/front-desk");
    expect(options.status).toBe(204);
    expect(options.headers.get("allow")).toBe("GET, HEAD, PUT, OPTIONS");
    const head = await api.call("HEAD", "/api/v1/agents/front-desk");
    expect(head.status).toBe(200);
    expect(head.text).toBe("");
    expect((await api.call("OPTIONS", "/nothing")).status).toBe(404);
  });
});

describe("a page of another origin", () => {
  it("may call when its origin is listed, and only then", async () => {
    const running = await startApi({ CORS_ALLOWED_ORIGINS: "https://console.example.com" });
    const origin = { origin: "https://console.example.com" };
    const answer = await running.call("GET", "/api/v1/health", undefined, origin);
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://console.example.com");
    expect(answer.headers.get("vary")).toBe("Origin");
    const preflight = await running.call("OPTIONS", initiate, undefined, {
      ...origin,
      "access-control-request-method": "POST",
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
    const stranger = await running.call("GET", "/api/v1/health", undefined, { origin: "https://evil.example.com" });
    expect(stranger.headers.get("access-control-allow-origin")).toBeNull();
    const error = await running.call("GET", "/nothing", undefined, origin);
    expect(error.headers.get("access-control-allow-origin")).toBe("https://console.example.com");
    await running.close();
  });
});

describe("an answer", () => {
  it("carries the caller's request id, or one of its own", async () => {
    expect(
      (await api.call("GET", "/nothing", undefined, { "x-request-id": "abc-1" })).headers.get("x-request-id"),
    ).toBe("abc-1");
    const made = await api.call("GET", "/nothing", undefined, { "x-request-id": "a b\tc" });
    expect(made.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("a fault behind the API", () => {
  const secret = "ECONNREFUSED redis://user:hunter2@10.0.0.1";

  function stateThat(fails: () => Promise<never>): State {
    const state = createMemoryState({ clock: systemClock });
    const failing = new Proxy(state.sessions, { get: () => fails });
    const hosts = { beat: fails, remove: fails, list: fails, listWithSilent: fails };
    return { ...state, sessions: failing, hosts, ping: fails, calls: new Proxy(state.calls, { get: () => fails }) };
  }

  async function startWith(fails: () => Promise<never>): Promise<Api> {
    return startApi({}, { state: stateThat(fails) });
  }

  it("is 503 with Retry-After while the store is down, and liveness goes on", async () => {
    const running = await startWith(() => Promise.reject(new VoiceError("cache_connection_failed", secret)));
    for (const [method, target, body] of [
      ["GET", "/api/v1/sessions/a", undefined],
      ["POST", initiate, goodCall],
      ["GET", "/api/v1/calls/", undefined],
      ["GET", "/api/v1/ready", undefined],
    ] as const) {
      const answer = await running.call(method, target, body);
      expect(answer).toMatchObject(problem(503, "cache_connection_failed"));
      expect(answer.headers.get("retry-after")).toBe("2");
      expect(answer.text).not.toContain("hunter2");
    }
    const health = await running.call("GET", "/api/v1/health");
    expect(health).toMatchObject({ status: 200, body: { active_sessions: null, session_metrics: null } });
    const readiness = await running.call("GET", "/api/v1/readiness");
    expect(readiness).toMatchObject({ status: 503, body: { status: "not_ready" } });
    expect(readiness.text).toContain('"component":"cache","status":"unhealthy"');
    expect(readiness.text).not.toContain("hunter2");
    expect(await running.call("GET", "/api/v1/realtime/status")).toMatchObject({
      status: 200,
      body: { status: "unavailable" },
    });
    await running.close();
  });

  it("is logged once by liveness and status documents, however often they are asked", async () => {
    const lines: string[] = [];
    const logger: Logger = {
      ...silentLogger,
      warn: (_fields, message) => void lines.push(message),
      child: () => logger,
    };
    const state = stateThat(() => Promise.reject(new VoiceError("cache_connection_failed", secret)));
    const running = await startApi({}, { state, logger });
    for (let probe = 0; probe < 3; probe++)
      for (const path of ["health", "readiness", "realtime/status", "browser/status"])
        await running.call("GET", `/api/v1/${path}`);
    expect(lines).toEqual(["the streaming hosts' heartbeats cannot be read"]);
    await running.close();
  });

  it("is 500 without a word about the exception", async () => {
    const running = await startWith(() => Promise.reject(new Error(secret)));
    const answer = await running.call("GET", "/api/v1/sessions/a");
    expect(answer).toMatchObject(problem(500, "internal_error"));
    expect(answer.text).not.toContain("hunter2");
    await running.close();
  });

  it("does not hold up liveness and readiness when the store hangs", async () => {
    const running = await startWith(() => new Promise(() => undefined));
    const asking = Promise.all([running.call("GET", "/api/v1/health"), running.call("GET", "/api/v1/readiness")]);
    expect(await timeOf(() => asking, 5000)).toBeLessThan(5000);
    const [health, readiness] = await asking;
    expect(health).toMatchObject({ status: 200, body: { active_sessions: null } });
    expect(readiness).toMatchObject({ status: 503, body: { status: "not_ready" } });
    expect(readiness.text).toContain("no answer within 1000 ms");
    await running.close();
  });
});

async function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(api.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end(text));
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}
