/** Random and hostile requests at every endpoint: never a 500, never a page, never a hang, always the contract's body. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { routesOf, type Endpoint } from "@voice/shared/contracts/http/endpoint";
import { endpoints } from "@voice/shared/contracts/http/endpoints";
import { httpValidationError, problem } from "@voice/shared/contracts/http/problem";
import { anyCharacter } from "@voice/streaming-host/testing/any-character";
import { startApi, type Api, type ApiAnswer } from "./api-harness.ts";

/** The number of inputs for each endpoint. They differ in every run. `HOSTILE_RUNS=1000` tries more of them. */
const runs = Number(process.env["HOSTILE_RUNS"] ?? 20);
const hangMs = 10_000;

let api: Api;

beforeAll(async () => {
  api = await startApi();
});

afterAll(async () => api.close());

const nastyText = fc.constantFrom(
  "",
  " ",
  "\u0000",
  "\ud800",
  "../../etc/passwd",
  "'; DROP TABLE calls; --",
  "{{7*7}}",
  "${jndi:ldap://x}",
  "<script>alert(1)</script>",
  "__proto__",
  "constructor",
  "{session}:x",
  "\r\nX-Injected: 1",
  "💥".repeat(100),
  "a".repeat(2000),
  "+14255550123",
  "front-desk",
  "default",
);

const text = fc.oneof(nastyText, fc.string({ unit: anyCharacter, maxLength: 60 }));

/** An empty segment and dots make another path of it, before it is even sent. */
const segment = text.filter((content) => !/^\.{0,2}$/.test(content));

const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, 2 ** 53 + 2, [], {}),
);

/** Mostly the endpoint's own field names with values of any kind; now and then anything at all. */
function bodyFor(endpoint: Endpoint): fc.Arbitrary<string> {
  const names = [
    ...JSON.stringify(z.toJSONSchema(endpoint.body, { io: "input", unrepresentable: "any" })).matchAll(
      /"([a-z_]+)":\{/g,
    ),
  ]
    .map((match) => match[1] ?? "")
    .filter((name) => name !== "properties");
  const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom("id", "type", "data", ...names) }, text);
  return fc.oneof(
    { weight: 6, arbitrary: fc.dictionary(name, value, { maxKeys: 8 }).map((body) => JSON.stringify(body)) },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.dictionary(name, value, { maxKeys: 6 }), { maxLength: 4 })
        .map((body) => JSON.stringify(body)),
    },
    fc.json(),
    fc.string({ unit: anyCharacter, maxLength: 200 }),
  );
}

function targetFor(endpoint: Endpoint): fc.Arbitrary<string> {
  const route = fc.constantFrom(...routesOf(endpoint));
  const query = fc.dictionary(
    fc.oneof(fc.constantFrom("limit", "page", "status_filter", "session_id", "refresh", "secret"), text),
    text,
    {
      maxKeys: 3,
    },
  );
  return fc.tuple(route, fc.array(segment, { minLength: 2, maxLength: 2 }), query).map(([path, values, pairs]) => {
    let index = 0;
    const filled = path.replaceAll(/\{\w+\}/g, () => encode(values[index++] ?? "x"));
    const search = Object.entries(pairs).map(([name, content]) => `${encode(name)}=${encode(content)}`);
    return `/${filled}${search.length === 0 ? "" : `?${search.join("&")}`}`;
  });
}

/** A lone surrogate cannot be escaped; a client could not send it either. */
function encode(content: string): string {
  return encodeURIComponent(content.toWellFormed());
}

const headers = fc.record(
  {
    "content-type": fc.constantFrom("application/json", "application/cloudevents+json", "text/html"),
    authorization: fc.constantFrom("Bearer x.y.z", "Basic eDp5", "Bearer", ""),
    "x-ms-call-connection-id": fc.constantFrom("x", "é", "a".repeat(500)),
    "x-request-id": fc.constantFrom("ok", "not ok", "<b>"),
    origin: fc.constantFrom("null", "https://evil.example.com", "not an origin"),
    "webhook-request-origin": fc.constantFrom("eventgrid.azure.net", "evil"),
  },
  { requiredKeys: [] },
);

async function send(method: string, target: string, body: string | undefined, given: object): Promise<ApiAnswer> {
  const sent = Object.fromEntries(Object.entries(given).map(([name, content]) => [name, String(content)]));
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer to ${method} ${target}`)), hangMs);
  });
  try {
    return await Promise.race([api.call(method, target, method === "GET" ? undefined : body, sent), hang]);
  } finally {
    clearTimeout(timer);
  }
}

/** Where the answer is not what the contract promises. */
function breaches(endpoint: Endpoint, answer: ApiAnswer): unknown[] {
  if (answer.status === 500) return ["500"];
  const declared = endpoint.responses[answer.status];
  const isHtml = answer.headers.get("content-type")?.includes("html") === true;
  if (isHtml && declared?.contentType === undefined) return ["an HTML page"];
  const schema = answer.status === 422 ? httpValidationError : declared === undefined ? problem : declared.schema;
  return schema?.safeParse(answer.body).error?.issues ?? [];
}

describe("every endpoint", () => {
  it.each(endpoints.map((endpoint) => [endpoint.method, endpoint.path, endpoint] as const))(
    "%s %s keeps its contract whatever comes",
    async (method, _path, endpoint) => {
      await fc.assert(
        fc.asyncProperty(targetFor(endpoint), bodyFor(endpoint), headers, async (target, body, given) => {
          expect(breaches(endpoint, await send(method, target, body, given))).toEqual([]);
        }),
        { numRuns: runs },
      );
    },
  );
});

describe("every path", () => {
  it("gets an answer in the contract's words", async () => {
    const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS");
    const path = fc.array(text, { maxLength: 5 }).map((parts) => `/${parts.map(encode).join("/")}`);
    await fc.assert(
      fc.asyncProperty(method, path, fc.boolean(), async (verb, target, underPrefix) => {
        const answer = await send(verb, underPrefix ? `/api/v1${target}` : target, "{}", {});
        expect(answer.status).not.toBe(500);
        if (answer.status >= 400 && answer.status !== 422) {
          expect(problem.safeParse(answer.body).error?.issues ?? []).toEqual([]);
        }
      }),
      { numRuns: 5 * runs },
    );
  });
});
