/** Who gets in, against an issuer on loopback. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { incomingCallUrl } from "@voice/shared/calls/webhook-urls";
import { createEnvironmentConfiguration } from "@voice/shared/config/configuration-provider";
import { loadSettings, type Environment } from "@voice/shared/config/load";
import type { Settings } from "@voice/shared/config/settings";
import { startApi, type Api } from "./api-harness.ts";
import { startTokenIssuer, type TokenIssuer } from "./token-issuer.ts";
import { z } from "zod";

const tenant = "6f9619ff-8b86-4011-b42d-00c04fc964f1";
const audience = "6f9619ff-8b86-4011-b42d-00c04fc964f2";
const client = "6f9619ff-8b86-4011-b42d-00c04fc964f3";
const resource = "6f9619ff-8b86-4011-b42d-00c04fc964f4";
const eventGrid = "4962773b-9cdb-44cf-a8bf-237846a00ab7";

let issuer: TokenIssuer;
let api: Api | undefined;

beforeAll(async () => {
  issuer = await startTokenIssuer();
});

afterEach(async () => {
  issuer.keys = "served";
  await api?.close();
});

afterAll(async () => issuer.close());

function configured(environment: Environment = {}): Settings {
  return loadSettings({
    ENABLE_AUTH_VALIDATION: "true",
    BACKEND_AUTH_CLIENT_ID: audience,
    CLOUD_TENANT_ID: tenant,
    ALLOWED_CLIENT_IDS: client,
    AUTH_JWT_ISSUER: issuer.issuer,
    AUTH_JWKS_URL: issuer.jwksUrl,
    ...environment,
  });
}

async function start(environment: Environment = {}, changes: Partial<Settings> = {}): Promise<Api> {
  const settings = { ...configured(environment), ...changes };
  api = await startApi({}, { configuration: createEnvironmentConfiguration(settings) });
  return api;
}

const claims = { aud: audience, tid: tenant, azp: client, ver: "2.0", sub: "somebody" };

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

describe("clients", () => {
  it("get in with the right token, in either version's form", async () => {
    const { call } = await start();
    const { azp: _azp, ...version1 } = claims;
    for (const token of [
      await issuer.sign(claims),
      await issuer.sign({ ...version1, aud: `api://${audience}`, appid: client.toUpperCase(), ver: "1.0" }),
    ]) {
      expect((await call("GET", "/api/v1/calls/", undefined, bearer(token))).status).toBe(200);
    }
  });

  it("are refused with 401 for a token that proves nothing", async () => {
    const { call } = await start();
    const tokens = {
      none: [undefined, "needs a valid access token"],
      expired: [await issuer.sign(claims, { expiresInSeconds: -120 }), "it has expired"],
      "for somebody else": [await issuer.sign({ ...claims, aud: client }), "issued for another service"],
      changed: [
        await issuer.sign({ ...claims }).then((token) => token.replace(/\.[^.]+\./, ".eyJpc3MiOiJ4In0.")),
        "no key of the issuer has signed it",
      ],
      "signed by a foreign key": [
        await issuer.sign(claims, { withForeignKey: true }),
        "no key of the issuer has signed it",
      ],
      "not signed": [issuer.unsigned(claims), "not a signed JSON Web Token"],
      nonsense: ["abc", "not a signed JSON Web Token"],
      empty: ["", "needs a valid access token"],
    } as const;
    for (const [what, [token, detail]] of Object.entries(tokens)) {
      const answer = await call("GET", "/api/v1/calls/", undefined, token === undefined ? {} : bearer(token));
      expect(`${what}: ${answer.status}`).toBe(`${what}: 401`);
      expect(answer.body).toMatchObject({ type: "unauthorized", status_code: 401, instance: "/api/v1/calls/" });
      expect(answer.body).toMatchObject({ detail: expect.stringContaining(detail) });
      const isRefused = token !== undefined && token !== "";
      expect(answer.headers.get("www-authenticate")).toBe(isRefused ? 'Bearer error="invalid_token"' : "Bearer");
    }
  });

  it("learn that their token's issuer is not trusted", async () => {
    const { call } = await start({ AUTH_JWT_ISSUER: "https://other.example" });
    const answer = await call("GET", "/api/v1/calls/", undefined, bearer(await issuer.sign(claims)));
    expect(answer).toMatchObject({ status: 401, body: { errors: [{ code: "invalid_token" }] } });
    expect(answer.body).toMatchObject({ detail: expect.stringContaining("its issuer is not trusted") });
  });

  it("are refused with 403 for a token of another tenant or client", async () => {
    const { call } = await start();
    for (const [changed, code] of [
      [{ tid: resource }, "tenant_not_allowed"],
      [{ azp: resource }, "client_not_allowed"],
      [{ sub: "anonymous" }, "subject_not_allowed"],
      [{ azp: eventGrid }, "client_not_allowed"],
    ] as const) {
      const token = await issuer.sign({ ...claims, ...changed });
      const answer = await call("GET", "/api/v1/calls/", undefined, bearer(token));
      expect(answer).toMatchObject({ status: 403, body: { type: "forbidden", errors: [{ code }] } });
    }
  });

  it("are asked to wait while the keys cannot be fetched", async () => {
    issuer.keys = "broken";
    const { call } = await start();
    const answer = await call("GET", "/api/v1/calls/", undefined, bearer(await issuer.sign(claims)));
    expect(answer).toMatchObject({ status: 503, body: { type: "dependency_not_ready" } });
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.text).not.toMatch(/jwks|keys|127\.0\.0\.1/i);
  });

  it("wait no longer than the keys' time-out", async () => {
    issuer.keys = "hanging";
    const { call } = await start();
    const answer = await call("GET", "/api/v1/calls/", undefined, bearer(await issuer.sign(claims)));
    expect(answer.status).toBe(503);
  });

  it("are all refused while authentication is misconfigured", async () => {
    const { call } = await start({ ALLOWED_CLIENT_IDS: "everyone" });
    const answer = await call("GET", "/api/v1/calls/", undefined, bearer(await issuer.sign(claims)));
    expect(answer).toMatchObject({ status: 503, body: { type: "dependency_not_ready" } });
    const readiness = await call("GET", "/api/v1/readiness");
    expect(readiness.text).toContain("ALLOWED_CLIENT_IDS holds no valid GUID");
  });

  it("need no token where the documents and the probes stand", async () => {
    const { call } = await start();
    for (const target of [
      "/api/v1/health",
      "/docs",
      "/docs/openapi.json",
      "/api/v1/docs/asyncapi.json",
      "/api/v1/telephony/health",
    ]) {
      expect(`${target} ${(await call("GET", target)).status}`).toBe(`${target} 200`);
    }
    for (const target of ["/api/v1/ready", "/api/v1/readiness"]) {
      expect(`${target} ${(await call("GET", target)).status}`).toBe(`${target} 503`);
    }
  });

  it("[OPS-12] are needed in production to read what the parts are made of, and not which of them work", async () => {
    const { call } = await start({}, { environment: "production" });
    const details = async (headers = {}) => {
      const { body } = await call("GET", "/api/v1/readiness", undefined, headers);
      const { checks } = z
        .object({ checks: z.array(z.object({ status: z.string(), details: z.string().nullable() })) })
        .parse(body);
      return checks.flatMap((check) => (check.status === "healthy" ? [check.details] : []));
    };
    expect(new Set(await details())).toEqual(new Set([null]));
    expect(new Set(await details(bearer("not.a.token")))).toEqual(new Set([null]));
    expect(await details(bearer(await issuer.sign(claims)))).not.toContain(null);
  });

  it("[ACCESS-18] are needed in production to read what the service can do", async () => {
    const { call } = await start({}, { environment: "production" });
    expect((await call("GET", "/docs")).status).toBe(200);
    const token = bearer(await issuer.sign(claims));
    for (const target of ["/docs/openapi.json", "/docs/asyncapi.json", "/api/v1/docs/openapi.json"]) {
      expect(`${target} ${(await call("GET", target)).status}`).toBe(`${target} 401`);
      expect(`${target} ${(await call("GET", target, undefined, token)).status}`).toBe(`${target} 200`);
    }
  });

  it("fetch the keys once for many tokens", async () => {
    const { call } = await start();
    const before = issuer.keyRequests();
    const token = await issuer.sign(claims);
    await Promise.all(Array.from({ length: 20 }, async () => call("GET", "/api/v1/calls/", undefined, bearer(token))));
    expect(issuer.keyRequests() - before).toBe(1);
  });
});

describe("a ticket", () => {
  it("is issued to the caller and works once", async () => {
    const { call, state } = await start();
    const answer = await call(
      "POST",
      "/api/v1/realtime/token",
      { session_id: "s-1" },
      bearer(await issuer.sign(claims)),
    );
    expect(answer).toMatchObject({ status: 200, body: { expires_in: 60, ticket: expect.any(String) } });
    const ticket = /"ticket":"([^"]+)"/.exec(answer.text)?.[1] ?? "";
    expect(answer.text).toContain(`/api/v1/realtime/conversation?ticket=${ticket}&session_id=s-1`);
    expect(await state.tickets.consume(ticket)).toEqual({
      subject: "somebody",
      isOperator: false,
      purpose: { type: "converse", sessionId: "s-1" },
      tokenExpiresAtMs: expect.any(Number),
    });
    expect(await state.tickets.consume(ticket)).toBeUndefined();
  });

  it("[ACCESS-10b] without a session is for a new one, whose id it brings", async () => {
    const { call } = await start();
    const token = bearer(await issuer.sign(claims));
    for (const body of [undefined, {}, { session_id: null }, { purpose: "converse" }]) {
      const { text, body: issued } = await call("POST", "/api/v1/realtime/token", body, token);
      expect(issued).toMatchObject({
        purpose: "converse",
        access_expires_in: null,
        session_id: expect.stringMatching(/^session-/),
      });
      expect(text).toMatch(/realtime\/conversation\?ticket=[^&]+&session_id=session-/);
    }
  });

  it("[ACCESS-10c] to watch leads to the relay, for one session or for all that its holder may see", async () => {
    const { call, state } = await start();
    const token = bearer(await issuer.sign({ ...claims, roles: ["Voice.Operator"] }));
    const all = await call("POST", "/api/v1/realtime/token", { purpose: "watch" }, token);
    expect(all.body).toMatchObject({ purpose: "watch", session_id: null, access_expires_in: expect.any(Number) });
    expect(all.text).toContain("/api/v1/realtime/dashboard/relay?ticket=");
    const ticket = /"ticket":"([^"]+)"/.exec(all.text)?.[1] ?? "";
    expect(await state.tickets.consume(ticket)).toMatchObject({
      isOperator: true,
      purpose: { type: "watch" },
      tokenExpiresAtMs: expect.any(Number),
    });
    const one = await call("POST", "/api/v1/realtime/token", { purpose: "watch", session_id: "session-1" }, token);
    expect(one.body).toMatchObject({ purpose: "watch", session_id: "session-1" });
    expect((await call("POST", "/api/v1/realtime/token", { purpose: "everything" }, token)).status).toBe(422);
  });
});

describe("the event delivery", () => {
  const body = [{ eventType: "Microsoft.EventGrid.SubscriptionValidationEvent", data: { validationCode: "c" } }];

  it("proves itself with the secret, in the query or a header", async () => {
    const { call } = await start({ COMM_WEBHOOK_SECRET: "open sesame" });
    expect((await call("POST", "/api/v1/calls/answer?secret=open%20sesame", body)).status).toBe(200);
    expect((await call("POST", "/api/v1/calls/answer", body, { "x-webhook-secret": "open sesame" })).status).toBe(200);
    expect((await call("POST", "/api/v1/calls/answer?secret=open", body)).status).toBe(401);
    expect(await call("POST", "/api/v1/calls/answer", body)).toMatchObject({
      status: 401,
      body: { errors: [{ field: "secret", code: "missing" }] },
    });
  });

  it("is refused by nobody in any step of a rotation, whichever instances have read the new value already", async () => {
    const steps = ["old", "old,new", "new,old", "new"];
    /** What an instance that has read `held` answers to who was given the address by one that has read `sent`. */
    const deliver = async (sent: string, held: string): Promise<number> => {
      const url = incomingCallUrl("https://voice.example.com", { commWebhookSecrets: sent.split(",") });
      const instance = await start({ COMM_WEBHOOK_SECRET: held });
      const { status } = await instance.call("POST", url.replace("https://voice.example.com", ""), body);
      await instance.close();
      api = undefined;
      return status;
    };
    for (const [index, before] of steps.slice(0, -1).entries()) {
      const after = steps[index + 1] ?? "";
      for (const sent of [before, after])
        for (const held of [before, after]) expect([sent, held, await deliver(sent, held)]).toEqual([sent, held, 200]);
    }
    // Why it has to be accepted before it is sent: without the second step, instances that are late refuse calls.
    expect(await deliver("new,old", "old")).toBe(401);
    expect(await deliver("old", "new")).toBe(401);
  });

  it("is asked to come again while the store that has the secret is not read: 401 would be the end of the call", async () => {
    const settings = configured();
    const unread = { enabled: true, loaded: false, keyCount: 0 };
    const configuration = { ...createEnvironmentConfiguration(settings), status: () => unread };
    api = await startApi({}, { configuration });
    expect((await api.call("POST", "/api/v1/calls/answer?secret=open%20sesame", body)).status).toBe(503);
    const token = await issuer.sign({ ...claims, azp: eventGrid });
    expect((await api.call("POST", "/api/v1/calls/answer", body, bearer(token))).status).toBe(200);
  });

  it("asks for nothing before a delivery, and so proves nothing", async () => {
    const { call } = await start({ COMM_WEBHOOK_SECRET: "open sesame" });
    for (const target of ["/api/v1/calls/answer", "/api/v1/calls/callbacks"]) {
      const answer = await call("OPTIONS", target, undefined, { "webhook-request-origin": "eventgrid.azure.net" });
      expect([answer.status, answer.headers.get("webhook-allowed-origin")]).toEqual([200, "eventgrid.azure.net"]);
    }
  });

  it("needs no proof from this machine, while authentication is off and no real service is behind it", async () => {
    const local = {
      ENABLE_AUTH_VALIDATION: "false",
      COMM_CONNECTION_STRING: "endpoint=http://127.0.0.1:4100/;accesskey=c2VjcmV0",
      COMM_PHONE_NUMBER: "+14255550100",
      BASE_URL: "http://127.0.0.1:8080",
    };
    expect(await (await start(local)).call("POST", "/api/v1/calls/answer", body)).toMatchObject({
      status: 200,
      body: { validationResponse: "c" },
    });
    await api?.close();
    const real = { ...local, COMM_CONNECTION_STRING: "endpoint=https://comm.example.com/;accesskey=c2VjcmV0" };
    await expect(start(real)).rejects.toThrow("COMM_RESOURCE_ID is missing");
  });

  it("proves itself with Event Grid's own token", async () => {
    const { call } = await start();
    const token = await issuer.sign({ ...claims, azp: eventGrid });
    expect((await call("POST", "/api/v1/calls/answer", body, bearer(token))).status).toBe(200);
    const other = await issuer.sign({ ...claims, azp: resource });
    expect((await call("POST", "/api/v1/calls/answer", body, bearer(other))).status).toBe(403);
    expect((await call("POST", "/api/v1/calls/answer", body)).status).toBe(401);
  });

  it("[ACCESS-19] takes an operator's token, and no other user's", async () => {
    const { call } = await start();
    const operator = await issuer.sign({ ...claims, roles: ["Voice.Operator"] });
    expect((await call("POST", "/api/v1/calls/answer", body, bearer(operator))).status).toBe(200);
    const user = bearer(await issuer.sign(claims));
    expect(await call("POST", "/api/v1/calls/answer", body, user)).toMatchObject({
      status: 403,
      body: { errors: [{ code: "role_missing" }] },
    });
  });
});

describe("the communication service's callbacks", () => {
  const body = [{ id: "1", type: "Microsoft.Communication.CallConnected", data: { callConnectionId: "x" } }];
  const comm = (): Environment => ({
    COMM_RESOURCE_ID: resource,
    COMM_JWT_ISSUER: issuer.issuer,
    COMM_JWKS_URL: issuer.jwksUrl,
  });

  it("carry the service's own token", async () => {
    const { call } = await start(comm());
    const token = await issuer.sign({ aud: resource });
    expect((await call("POST", "/api/v1/calls/callbacks", body, bearer(token))).status).toBe(200);
  });

  it("are refused without one, and with a client's", async () => {
    const { call } = await start(comm());
    expect((await call("POST", "/api/v1/calls/callbacks", body)).status).toBe(401);
    expect((await call("POST", "/api/v1/calls/callbacks", body, bearer(await issuer.sign(claims)))).status).toBe(401);
  });

  it("are sent again later while the keys cannot be fetched: 401 would not be retried", async () => {
    issuer.keys = "broken";
    const { call } = await start(comm());
    const token = await issuer.sign({ aud: resource });
    expect((await call("POST", "/api/v1/calls/callbacks", body, bearer(token))).status).toBe(503);
  });

  it("[CB-1b] need no proof where nothing can check it, unless a real service or production is behind it", async () => {
    const unchecked = await start();
    expect((await unchecked.call("POST", "/api/v1/calls/callbacks", body)).status).toBe(200);
    await api?.close();
    const production = await start({}, { environment: "production" });
    expect((await production.call("POST", "/api/v1/calls/callbacks", body)).status).toBe(503);
  });

  it("[CB-1a] carry the secret where one is set, the old one as well while it is replaced", async () => {
    const { call } = await start({ COMM_WEBHOOK_SECRET: "new,old" });
    for (const secret of ["new", "old"])
      expect((await call("POST", `/api/v1/calls/callbacks?secret=${secret}`, body)).status).toBe(200);
    for (const secret of ["new,old", "older"])
      expect((await call("POST", `/api/v1/calls/callbacks?secret=${secret}`, body)).status).toBe(401);
  });
});

describe("a page", () => {
  const page = "6f9619ff-8b86-4011-b42d-00c04fc964f5";

  it("[ACCESS-16b] learns without a token where people sign in, and with theirs what they may do", async () => {
    const { call } = await start({
      SIGN_IN_CLIENT_ID: page,
      ALLOWED_CLIENT_IDS: `${client},${page}`,
      CALL_ROLE: "Dial",
    });
    const signIn = await call("GET", "/api/v1/sign-in");
    expect(signIn.body).toEqual({
      required: true,
      provider: {
        authority: issuer.issuer,
        client_id: page,
        scope: `openid offline_access api://${audience}/.default`,
      },
    });
    expect((await call("GET", "/api/v1/access")).status).toBe(401);
    const user = await issuer.sign({ ...claims, azp: page });
    expect((await call("GET", "/api/v1/access", undefined, bearer(user))).body).toEqual({
      subject: "somebody",
      tenant: null,
      is_operator: false,
      may_place_calls: false,
      may_publish: false,
      may_make_agents: true,
    });
    const operator = await issuer.sign({ ...claims, azp: page, roles: ["Voice.Operator"] });
    expect((await call("GET", "/api/v1/access", undefined, bearer(operator))).body).toMatchObject({
      is_operator: true,
      may_place_calls: true,
    });
  });

  it("[PUBLISH-7] publishes with the role of PUBLISH_ROLE alone, and as an operator where none is set", async () => {
    const publish = async (environment: Record<string, string>, roles: readonly string[]): Promise<number> => {
      const { call } = await start(environment);
      const token = bearer(await issuer.sign({ ...claims, roles }));
      return (await call("POST", "/api/v1/releases", { note: "Nothing changes" }, token)).status;
    };
    expect(await publish({}, ["Voice.Operator"])).toBe(200);
    expect(await publish({ PUBLISH_ROLE: "Publish" }, ["Voice.Operator"])).toBe(403);
    expect(await publish({ PUBLISH_ROLE: "Publish" }, ["Publish"])).toBe(403);
    expect(await publish({ PUBLISH_ROLE: "Publish" }, ["Voice.Operator", "Publish"])).toBe(200);
  });

  it("[ACCESS-16b] learns that nobody has to sign in while authentication is off", async () => {
    const { call } = await start({ ENABLE_AUTH_VALIDATION: "false" });
    expect((await call("GET", "/api/v1/sign-in")).body).toEqual({ required: false, provider: null });
  });

  it("[ACCESS-17] may have its tokens from a provider that knows no tenants", async () => {
    const { call } = await start();
    const { tid: _tid, azp: _azp, ...elsewhere } = claims;
    const token = await issuer.sign({ ...elsewhere, client_id: client });
    expect((await call("GET", "/api/v1/access", undefined, bearer(token))).status).toBe(200);
  });
});
