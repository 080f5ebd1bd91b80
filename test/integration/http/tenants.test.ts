/** Two tenants in one service: every endpoint that wants a token, asked for what is the other one's. */
import { conversationRow } from "@voice/shared/state/ports/conversation-table.contract";
import { tenantOwner, writeOwner } from "@voice/shared/auth/tenant";
import { routesFile, toRoutes } from "@voice/shared/catalog/conversation-routes";
import { endpoints } from "@voice/shared/contracts/http/endpoints";
import { toolList } from "@voice/shared/contracts/http/tools";
import { hourMs } from "@voice/shared/platform/day";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { newMediaSession } from "@voice/shared/state/ports/small-stores.contract";
import { loadSettings } from "@voice/shared/config/load";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogOf } from "../../support/built-in-catalog.ts";
import { authenticationBy, bearerOf, type Credentials } from "../../support/signed-callers.ts";
import { startApi, type Api, type ApiAnswer } from "./api-harness.ts";
import { agent, rows } from "./owners-table.ts";
import { startTokenIssuer, type TokenIssuer } from "./token-issuer.ts";

const ofAlice = writeOwner({ tenant: "acme", subject: "alice" });
const acme = tenantOwner("acme");

let issuer: TokenIssuer;
let api: Api;
/** Of acme. */
let alice: Credentials;
let head: Credentials;
/** Of globex; one has alice's subject, and one is an operator. */
let namesake: Credentials;
let stranger: Credentials;
let root: Credentials;

beforeAll(async () => {
  issuer = await startTokenIssuer();
  const catalog = await catalogOf(loadSettings({}));
  const table = [
    { number: "+14255550111", tenant: "acme", scenario: "banking" },
    { channel: "browser", tenant: "globex", scenario: "insurance" },
  ];
  api = await startApi(
    { ...authenticationBy(issuer), TENANT_CLAIM: "org", OPERATOR_SUBJECTS: "root", COMM_WEBHOOK_SECRET: "s" },
    { catalog: { ...catalog, routes: toRoutes(routesFile.parse({ routes: table })) } },
  );
  const member = (subject: string, org: string, roles: readonly string[] = []) =>
    bearerOf(issuer, subject, roles, { org });
  const operator = ["Voice.Operator"];
  [alice, head, namesake, stranger, root] = await Promise.all([
    member("alice", "acme"),
    member("hedda", "acme", operator),
    member("alice", "globex"),
    member("gil", "globex", operator),
    bearerOf(issuer, "root"),
  ]);
  const { sessions, calls, agents, mediaSessions, profiles, hourlyCounts, conversations } = api.state;
  const now = Date.now();
  await sessions.create({ ...newSession("session-of-alice", now), scenario: "banking", owner: ofAlice });
  await sessions.create({ ...newSession("second-of-alice", now), owner: ofAlice });
  await sessions.create({ ...newSession("session-of-nobody", now), owner: acme });
  await sessions.create({
    ...newSession("session-of-gil", now),
    owner: writeOwner({ tenant: "globex", subject: "gil" }),
  });
  await calls.create({ ...newCall("call-alice", now), callConnectionId: "connection-alice", owner: ofAlice });
  await calls.create({ ...newCall("call-inbound", now), direction: "inbound", owner: acme });
  await agents.create("prepared-by-alice", "helper", agent("helper"), ofAlice);
  await mediaSessions.create({ ...newMediaSession("media-of-alice", now), owner: ofAlice });
  await profiles.create({ profileId: "profile-of-alice", document: {}, owner: ofAlice });
  await conversations.put({ ...conversationRow("row-of-alice", now), owner: ofAlice });
  const hour = Math.floor(now / hourMs) * hourMs;
  await hourlyCounts.add({ id: "all", atMs: hour, counts: { conversations: 7 } });
  await hourlyCounts.add({ id: "theirs", atMs: hour, counts: { conversations: 3 }, tenant: "acme" });
});

afterAll(async () => {
  await api.close();
  await issuer.close();
});

const ask = (method: string, target: string, body: unknown, credentials: Credentials): Promise<ApiAnswer> =>
  api.call(method, `/api/v1${target}`, body, credentials);

const isHers = (target: string, body: unknown): boolean =>
  /alice|session-of-nobody|call-inbound/.test(`${target} ${JSON.stringify(body)}`);

describe("[TENANT-2] what is alice's of acme", () => {
  it.each(rows.filter(([, , target, body]) => isHers(target, body)))(
    "%s %s %s %j is not there for globex: neither for somebody with her subject nor for an operator",
    async (_endpoint, method, target, body) => {
      for (const credentials of [namesake, stranger]) {
        const answer = await ask(method, target, body, credentials);
        const roleIsMissing = answer.status === 403 && answer.text.includes("role_missing");
        // Who lacks the role is told so before anything is looked for.
        if (!roleIsMissing) expect(answer.status).toBe(404);
        expect(answer.text).not.toContain("somebody else");
        const unknown = (text: string) =>
          text.replaceAll(
            /(?:session|second|prepared|media|profile|call|connection)-(?:of-|by-)?(?:alice|nobody|inbound)/g,
            "x-1",
          );
        const other = await ask(
          method,
          unknown(target),
          body === undefined ? body : JSON.parse(unknown(JSON.stringify(body))),
          credentials,
        );
        // A session that is named in the query may be begun with it, so an unknown one is no mistake there.
        if (other.status === 404 && !target.includes("session_id="))
          expect(withoutPlace(answer)).toEqual(withoutPlace(other));
      }
    },
  );

  it("is there for her, and for an operator of acme and of the whole service", async () => {
    for (const credentials of [alice, head, root])
      expect((await ask("GET", "/sessions/session-of-alice", undefined, credentials)).status).toBe(200);
    for (const [credentials, status] of [
      [alice, 403],
      [head, 200],
      [root, 200],
    ] as const)
      expect((await ask("GET", "/sessions/session-of-nobody", undefined, credentials)).status).toBe(status);
  });
});

function withoutPlace({ body }: ApiAnswer): unknown {
  const { instance: _instance, timestamp: _timestamp, request_id: _id, ...rest } = Object(body);
  return rest;
}

describe("[TENANT-3] lists", () => {
  it.each(["/sessions", "/calls/", "/conversations", "/conversations/csv"])(
    "%s have what is the tenant's own",
    async (target) => {
      const seenBy = async (credentials: Credentials) => (await ask("GET", target, undefined, credentials)).text;
      for (const credentials of [alice, head, root]) expect(await seenBy(credentials)).toMatch(/alice/);
      for (const credentials of [namesake, stranger]) expect(await seenBy(credentials)).not.toMatch(/alice|inbound/);
    },
  );

  it("of an operator have what nobody of the tenant owns, such as incoming calls", async () => {
    const seenBy = async (credentials: Credentials) => (await ask("GET", "/calls/", undefined, credentials)).text;
    expect(await seenBy(head)).toContain("call-inbound");
    expect(await seenBy(alice)).not.toContain("call-inbound");
    expect((await ask("GET", "/calls/?search=call-inbound", undefined, stranger)).body).toMatchObject({ total: 0 });
  });

  it("[TENANT-6] the overview counts the tenant's conversations", async () => {
    const countedFor = async (credentials: Credentials) =>
      (await ask("GET", "/overview?days=1", undefined, credentials)).body;
    expect(await countedFor(head)).toMatchObject({ conversations: 3, live: null });
    expect(await countedFor(stranger)).toMatchObject({ conversations: 0 });
    expect(await countedFor(root)).toMatchObject({ conversations: 7 });
  });
});

describe("what concerns the whole service", () => {
  it.each(endpoints.filter(({ access }) => access === "service-operator").map(({ method, path }) => [method, path]))(
    "[TENANT-4] %s %s is refused to a tenant's operators",
    async (method, path) => {
      const answer = await ask(
        method ?? "",
        (path ?? "").replace("{version}", "1"),
        method === "GET" ? undefined : {},
        head,
      );
      expect(answer).toMatchObject({ status: 403, body: { errors: [{ code: "tenant_operator" }] } });
    },
  );

  it("[TENANT-4] so is a change of the catalog's agents, and watching everybody", async () => {
    expect((await ask("PUT", "/agents/front-desk", {}, head)).status).toBe(403);
    expect((await ask("POST", "/realtime/dashboard/negotiate", {}, head)).status).toBe(403);
    expect((await ask("PUT", "/agents/front-desk", {}, root)).status).toBe(200);
  });
});

describe("a token", () => {
  it("[TENANT-1] names the tenant in the claim of the setting, and is refused without it or with what is no name", async () => {
    expect((await ask("GET", "/access", undefined, alice)).body).toMatchObject({ tenant: "acme" });
    expect((await ask("GET", "/access", undefined, root)).body).toMatchObject({ tenant: null, is_operator: true });
    for (const claims of [{}, { org: "" }, { org: "a/b" }, { org: ["acme"] }, { org: "@acme" }])
      expect(
        await ask("GET", "/access", undefined, await bearerOf(issuer, "eve", ["Voice.Operator"], claims)),
      ).toMatchObject({
        status: 403,
        body: { errors: [{ code: "tenant_missing" }] },
      });
  });

  it("[TENANT-2] of one tenant cannot be mistaken for another's by its subject", async () => {
    const disguised = await bearerOf(issuer, "@acme/alice", [], { org: "globex" });
    expect((await ask("GET", "/sessions/session-of-alice", undefined, disguised)).status).toBe(404);
  });
});

describe("[TENANT-5] the catalog", () => {
  it("shows scenarios and agents that only another tenant's rows name to nobody else", async () => {
    const seenBy = async (credentials: Credentials) =>
      `${(await ask("GET", "/scenarios", undefined, credentials)).text} ${(await ask("GET", "/agents", undefined, credentials)).text}`;
    expect(await seenBy(head)).toContain("banking");
    expect(await seenBy(head)).not.toContain("claims-intake");
    expect(await seenBy(stranger)).toContain("claims-intake");
    expect((await ask("GET", "/scenarios/insurance", undefined, head)).status).toBe(404);
    expect((await ask("GET", "/agents/claims-intake", undefined, head)).status).toBe(404);
    const borrowed = {
      session_id: "own-of-hedda",
      name: "own",
      agents: ["claims-intake"],
      start_agent: "claims-intake",
    };
    expect((await ask("POST", "/scenarios", borrowed, head)).status).toBe(422);
    expect((await ask("POST", "/scenarios", borrowed, root)).status).toBe(200);
  });
});

describe("[TENANT-7] tools", () => {
  const namesSeenBy = async (credentials: Credentials): Promise<readonly string[]> =>
    toolList.parse((await ask("GET", "/tools", undefined, credentials)).body).tools.map(({ name }) => name);

  it("that only agents of other tenants have are shown to nobody else, and the service's own to everybody", async () => {
    const [ofHead, ofStranger, ofRoot] = [
      await namesSeenBy(head),
      await namesSeenBy(stranger),
      await namesSeenBy(root),
    ];
    const ofInterest = ["report_claim", "get_account_summary", "end_call"];
    const among = (names: readonly string[]) => ofInterest.filter((name) => names.includes(name));
    expect(among(ofHead)).toEqual(["get_account_summary", "end_call"]);
    expect(among(ofStranger)).toEqual(["report_claim", "end_call"]);
    expect(among(ofRoot)).toEqual(ofInterest);
  });

  it("of another tenant are tools that do not exist to whoever makes an agent", async () => {
    const answerTo = async (credentials: Credentials, tool: string) => {
      const made = { ...agent("own"), session_id: "tools-of-somebody", tools: [tool] };
      const { status, text } = await ask("POST", "/agents", made, credentials);
      return { status, says: text.replaceAll(tool, "it").replaceAll(/"(request_id|timestamp)":"[^"]*"/g, "") };
    };
    expect(await answerTo(head, "report_claim")).toEqual(await answerTo(head, "no_such_tool"));
    expect(await answerTo(head, "get_account_summary")).toMatchObject({ status: 200 });
  });
});

it("[TENANT-3] an incoming call belongs to the tenant of the number that was called", async () => {
  const number = "+14255550111";
  const to = { kind: "phoneNumber", rawId: `4:${number}`, phoneNumber: { value: number } };
  const data = { to, from: { kind: "unknown", rawId: "x" }, incomingCallContext: "c-1", correlationId: "c-1" };
  const event = {
    id: "e-1",
    eventType: "Microsoft.Communication.IncomingCall",
    eventTime: new Date().toISOString(),
    data,
  };
  expect((await api.call("POST", "/api/v1/calls/answer?secret=s", [event])).status).toBe(200);
  expect((await ask("GET", "/calls/", undefined, head)).text).toContain(number);
  expect((await ask("GET", "/calls/", undefined, stranger)).text).not.toContain(number);
});
