/** Every endpoint that wants a token, asked by nobody, by the owner, by another user and by an operator. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { endpoints } from "@voice/shared/contracts/http/endpoints";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { newMediaSession } from "@voice/shared/state/ports/small-stores.contract";
import { authenticationBy, bearerOf, type Credentials } from "../../support/signed-callers.ts";
import { startApi, type Api, type ApiAnswer } from "./api-harness.ts";
import { agent, number, rows } from "./owners-table.ts";
import { startTokenIssuer, type TokenIssuer } from "./token-issuer.ts";

let issuer: TokenIssuer;
let api: Api;
let alice: Credentials;
let bob: Credentials;
let operator: Credentials;

beforeAll(async () => {
  issuer = await startTokenIssuer();
  api = await startApi(authenticationBy(issuer));
  alice = await bearerOf(issuer, "alice");
  bob = await bearerOf(issuer, "bob");
  operator = await bearerOf(issuer, "olga", ["Voice.Operator"]);
  const { sessions, calls, agents, mediaSessions, profiles } = api.state;
  const now = Date.now();
  await sessions.create({ ...newSession("session-of-alice", now), scenario: "banking", owner: "alice" });
  await sessions.create({ ...newSession("session-of-bob", now), owner: "bob" });
  // As the version before wrote it.
  await sessions.create(newSession("session-of-nobody", now));
  await calls.create({ ...newCall("call-alice", now), callConnectionId: "connection-alice", owner: "alice" });
  await calls.create({ ...newCall("call-inbound", now), direction: "inbound" });
  await agents.create("prepared-by-alice", "helper", agent("helper"), "alice");
  await mediaSessions.create({ ...newMediaSession("media-of-alice", now), owner: "alice" });
  await api.call("POST", "/api/v1/profiles/generate", {}, alice);
  const { document } = await madeProfile();
  await profiles.create({ profileId: "profile-of-alice", document, owner: "alice" });
});

afterAll(async () => {
  await api.close();
  await issuer.close();
});

async function madeProfile() {
  const made = z.object({ profile: z.record(z.string(), z.unknown()) });
  return { document: made.parse((await api.call("POST", "/api/v1/profiles/generate", {}, alice)).body).profile };
}

function ask([, method, target, body]: (typeof rows)[number], credentials: Credentials = {}): Promise<ApiAnswer> {
  return api.call(method, `/api/v1${target}`, body, credentials);
}

describe("[ACCESS-6a] what belongs to alice", () => {
  it.each(rows)("%s %s %s %j answers her %i, bob %i and an operator %i", async (...row) => {
    const [endpoint, , , , forAlice, forBob, forOperator] = row;
    if (endpoint === "sessionsDelete") await newSecondSession();
    expect(await ask(row)).toMatchObject({ status: 401, body: { type: "unauthorized" } });
    const bobs = await ask(row, bob);
    expect(bobs.status).toBe(forBob);
    if (forBob === 403)
      expect(bobs.body).toMatchObject({ type: "forbidden", errors: [{ field: "roles", code: "role_missing" }] });
    expect((await ask(row, alice)).status).toBe(forAlice);
    if (endpoint === "sessionsDelete") await newSecondSession();
    expect((await ask(row, operator)).status).toBe(forOperator);
  });

  it("leaves no endpoint out that wants a token", () => {
    const wanted = endpoints.filter(({ access }) => ["client", "operator", "service-operator"].includes(access));
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(wanted.map(({ name }) => name)));
  });
});

async function newSecondSession(): Promise<void> {
  await api.state.sessions.create({ ...newSession("second-of-alice", Date.now()), owner: "alice" });
}

const listed = z.object({
  total: z.int(),
  sessions: z.array(z.object({ session_id: z.string() })).optional(),
  calls: z.array(z.object({ call_id: z.string() })).optional(),
});

describe("[ACCESS-7] a list", () => {
  async function idsFor(target: string, credentials: Credentials) {
    const { sessions = [], calls = [] } = listed.parse((await api.call("GET", target, undefined, credentials)).body);
    return [...sessions.map(({ session_id: id }) => id), ...calls.map(({ call_id: id }) => id)];
  }

  it("has what is the caller's own, and everything for an operator", async () => {
    expect(await idsFor("/api/v1/sessions", bob)).toEqual(["session-of-bob"]);
    expect(await idsFor("/api/v1/sessions", alice)).not.toContain("session-of-bob");
    expect(await idsFor("/api/v1/sessions", operator)).toEqual(
      expect.arrayContaining(["session-of-alice", "session-of-bob", "session-of-nobody"]),
    );
    expect(await idsFor("/api/v1/calls/", bob)).not.toContain("call-alice");
    expect(await idsFor("/api/v1/calls/", alice)).toContain("call-alice");
    expect(await idsFor("/api/v1/calls/", alice)).not.toContain("call-inbound");
    expect(await idsFor("/api/v1/calls/", operator)).toEqual(expect.arrayContaining(["call-alice", "call-inbound"]));
  });
});

describe("agents that were made for a session which never began", () => {
  it.each([
    ["their author", () => alice],
    ["an operator", () => operator],
  ])("are deleted with the session's id by %s, and by nobody else", async (_, credentials) => {
    const { agents } = api.state;
    const target = "/api/v1/sessions/never-begun";
    await agents.create("never-begun", "helper", agent("helper"), "alice");
    expect(await api.call("DELETE", target, undefined, bob)).toMatchObject({ status: 403 });
    expect(await agents.list("never-begun")).toHaveLength(1);
    expect((await api.call("DELETE", target, undefined, credentials())).status).toBe(200);
    expect(await agents.list("never-begun")).toEqual([]);
    expect((await api.call("DELETE", target, undefined, credentials())).status).toBe(404);
  });
});

describe("[ACCESS-6c] an operator", () => {
  it("may also be named by its subject", async () => {
    const named = await startApi({ ...authenticationBy(issuer), OPERATOR_SUBJECTS: "backend, alice" });
    expect((await named.call("PUT", "/api/v1/agents/front-desk", {}, alice)).status).toBe(200);
    expect((await named.call("PUT", "/api/v1/agents/front-desk", {}, bob)).status).toBe(403);
    await named.close();
  });

  it("has the role that the settings name", async () => {
    const named = await startApi({ ...authenticationBy(issuer), OPERATOR_ROLE: "Desk.Lead" });
    const lead = await bearerOf(issuer, "lea", ["Desk.Lead"]);
    expect((await named.call("GET", "/api/v1/appconfig", undefined, lead)).status).toBe(200);
    expect((await named.call("GET", "/api/v1/appconfig", undefined, operator)).status).toBe(403);
    await named.close();
  });
});

describe("[ACCESS-8] phone calls", () => {
  it("are placed by those who have the role for it, where the settings name one", async () => {
    const guarded = await startApi({ ...authenticationBy(issuer), CALL_ROLE: "Voice.Caller" });
    const dialler = await bearerOf(issuer, "dora", ["Voice.Caller"]);
    const place = async (credentials: Credentials) =>
      guarded.call("POST", "/api/v1/calls/initiate", number, credentials);
    expect((await place(dialler)).status).toBe(200);
    expect((await place(operator)).status).toBe(200);
    expect(await place(alice)).toMatchObject({
      status: 403,
      body: { errors: [{ field: "roles", message: expect.stringContaining("CALL_ROLE") }] },
    });
    await guarded.close();
  });
});

describe("agents made by request", () => {
  const agent = (tools: readonly string[]) => ({
    session_id: "s-of-alice",
    name: "deputy",
    prompt: "Help whoever calls with their account.",
    tools,
  });

  it("[ACCESS-24] have tools that change something only where the settings name them, or for an operator", async () => {
    const settings = {
      ...authenticationBy(issuer),
      SESSION_AGENT_TOOLS: "dispute_*,shop_*",
      MCP_SERVERS: "shop=https://shop.example/mcp,stock=https://stock.example/mcp",
    };
    const guarded = await startApi(settings);
    const make = async (credentials: Credentials, ...tools: string[]) =>
      guarded.call("POST", "/api/v1/agents", agent(tools), credentials);
    expect(await make(alice, "get_account_balance", "block_card", "stock_count")).toMatchObject({
      status: 403,
      body: {
        errors: [
          { field: "tools.1", code: "tool_not_allowed", message: expect.stringContaining("block_card") },
          { field: "tools.2", code: "tool_not_allowed" },
        ],
      },
    });
    expect(
      (await make(alice, "get_account_balance", "dispute_transaction", "shop_order", "transfer_call")).status,
    ).toBe(200);
    expect((await make(operator, "block_card", "stock_count")).status).not.toBe(403);
    await guarded.close();
  });

  it("[ACCESS-27] take as many bytes of a client in an hour as the settings say, in all its sessions together", async () => {
    const guarded = await startApi({ ...authenticationBy(issuer), MAX_STORED_BYTES_PER_HOUR: "100000" });
    const make = async (credentials: Credentials, name: string) =>
      guarded.call(
        "POST",
        "/api/v1/agents",
        { session_id: `s-${name}`, name, prompt: "Help whoever calls. ".repeat(1500) },
        credentials,
      );
    const statuses: number[] = [];
    for (const name of ["one", "two", "three", "four"]) statuses.push((await make(alice, name)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await make(operator, "five")).status).toBe(200);
    await guarded.close();
  });

  it("[ACCESS-25] are made by those who have the role for it, where the settings name one", async () => {
    const guarded = await startApi({ ...authenticationBy(issuer), AGENT_ROLE: "Voice.Maker" });
    const maker = await bearerOf(issuer, "mia", ["Voice.Maker"]);
    const scenario = { session_id: "s-of-alice", name: "own", start_agent: "front-desk", agents: ["front-desk"] };
    const refused = {
      status: 403,
      body: { errors: [{ field: "roles", message: expect.stringContaining("AGENT_ROLE") }] },
    };
    expect(await guarded.call("POST", "/api/v1/agents", agent([]), alice)).toMatchObject(refused);
    expect(await guarded.call("POST", "/api/v1/scenarios", scenario, alice)).toMatchObject(refused);
    expect((await guarded.call("POST", "/api/v1/agents", agent([]), maker)).status).toBe(200);
    await guarded.close();
  });
});
