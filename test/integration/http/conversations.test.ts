/** The table of conversations over HTTP: what is in it, who sees it, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { tabulateConversations } from "@voice/shared/state/tabulated-state";
import { authenticationBy, bearerOf, type Credentials } from "../../support/signed-callers.ts";
import { startApi, type Api } from "./api-harness.ts";
import { startTokenIssuer, type TokenIssuer } from "./token-issuer.ts";

const page = z.object({
  conversations: z.array(z.looseObject({ session_id: z.string() })),
  next: z.string().nullable(),
  total: z.int().nullable(),
});

let issuer: TokenIssuer;
let api: Api;
let alice: Credentials;
let operator: Credentials;
const nowMs = Date.now();

beforeAll(async () => {
  issuer = await startTokenIssuer();
  const state = tabulateConversations(createMemoryState({ clock: systemClock }), systemClock, silentLogger);
  api = await startApi(authenticationBy(issuer), { state });
  alice = await bearerOf(issuer, "alice");
  operator = await bearerOf(issuer, "olga", ["Voice.Operator"]);
  for (const [at, owner] of ["alice", "bob", "alice"].entries()) {
    const session = { ...newSession(`session-${owner}-${at}`, nowMs - 600_000 + at * 60_000), owner };
    const { version } = await state.sessions.create(session);
    const reason = at === 0 ? "recogniser_lost" : "caller_left";
    await state.sessions.update(session.sessionId, version, { status: "ended", endReason: reason });
  }
  const call = { ...newCall("call-1", nowMs), sessionId: "session-busy", targetNumber: "+12025550123" };
  const { version } = await state.calls.create(call);
  await state.calls.update("call-1", version, { status: "failed", failureCode: "busy", endedAtMs: nowMs + 9000 });
});

afterAll(async () => {
  await api.close();
  await issuer.close();
});

async function listed(query: string, credentials: Credentials = operator) {
  const answer = await api.call("GET", `/api/v1/conversations${query}`, undefined, credentials);
  expect(answer.status).toBe(200);
  const { conversations, ...rest } = page.parse(answer.body);
  return { ids: conversations.map(({ session_id: id }) => id), conversations, ...rest };
}

describe("GET /conversations", () => {
  it("lists conversations and calls that never became one, with their facts", async () => {
    const { ids, conversations, next, total } = await listed("");
    expect(ids).toEqual(["session-busy", "session-alice-2", "session-bob-1", "session-alice-0"]);
    expect([next, total]).toEqual([null, 4]);
    expect(conversations[0]).toMatchObject({
      outcome: "busy",
      end_reason: "busy",
      channel: "phone",
      who: "+12025550123",
      call_id: "call-1",
      duration_ms: 9000,
      answer_p95_ms: null,
      cost: null,
    });
  });

  it("[LIST-6] shows a caller nothing of others, whatever is looked for", async () => {
    expect((await listed("", alice)).ids).toEqual(["session-alice-2", "session-alice-0"]);
    expect(await listed("?search=session-bob", alice)).toMatchObject({ ids: [], total: 0 });
    expect((await listed("?failed=true", alice)).ids).toEqual(["session-alice-0"]);
    const csv = await api.call("GET", "/api/v1/conversations/csv", undefined, alice);
    expect(csv.text).not.toContain("bob");
    expect(csv.text.trimEnd().split("\r\n")).toHaveLength(3);
  });

  it("filters, searches and goes on where the page before ended", async () => {
    expect((await listed("?outcome=failed")).ids).toEqual(["session-alice-0"]);
    expect((await listed("?failed=true")).ids).toEqual(["session-busy", "session-alice-0"]);
    expect((await listed("?end_reason=caller_left&channel=browser")).ids).toEqual(["session-alice-2", "session-bob-1"]);
    expect((await listed("?search=0123")).ids).toEqual(["session-busy"]);
    expect((await listed("?search=%2B1%20202%20555")).ids).toEqual(["session-busy"]);
    const from = new Date(nowMs - 500_000).toISOString();
    expect((await listed(`?from=${from}&channel=browser`)).ids).toEqual(["session-alice-2"]);
    const first = await listed("?limit=3");
    expect(first.ids).toHaveLength(3);
    expect((await listed(`?limit=3&after=${first.next ?? ""}`)).ids).toEqual(["session-alice-0"]);
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["after=%20", "after"],
    ["after=YWJj", "after"],
    ["outcome=lost", "outcome"],
    ["search=a", "search"],
    ["search=%2B", "search"],
    ["min_seconds=-1", "min_seconds"],
    ["min_seconds=9&max_seconds=5", "max_seconds"],
    ["min_answer_ms=1.5", "min_answer_ms"],
    ["from=yesterday", "from"],
    ["from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z", "to"],
    ["failed=maybe", "failed"],
  ])("refuses %s and says which parameter", async (query, parameter) => {
    const { status, body } = await api.call("GET", `/api/v1/conversations?${query}`, undefined, operator);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain(parameter);
  });

  it("gives the list as a file for a spreadsheet", async () => {
    const answer = await api.call("GET", "/api/v1/conversations/csv?outcome=busy", undefined, operator);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toContain("conversations.csv");
    expect(answer.text.split("\r\n")).toHaveLength(3);
    expect(answer.text).toContain("+12025550123");
  });

  it("[OVERVIEW-1] [OVERVIEW-5] are counted once each, for operators alone", async () => {
    expect((await api.call("GET", "/api/v1/overview", undefined, alice)).status).toBe(403);
    expect((await api.call("GET", "/api/v1/overview?time_zone=Nowhere", undefined, operator)).status).toBe(400);
    const answer = await api.call("GET", "/api/v1/overview?days=7", undefined, operator);
    expect(answer).toMatchObject({ status: 200, body: { conversations: 3, live: null } });
    const { days, failures } = z
      .object({ days: z.array(z.unknown()), failures: z.array(z.unknown()) })
      .parse(answer.body);
    expect(days).toHaveLength(7);
    expect(failures).toContainEqual({ name: "recogniser_lost", count: 1 });
  });
});
