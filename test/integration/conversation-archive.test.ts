/** The archive, through the vendor's client, against a server that speaks the document store's protocol. */
import { createCosmosArchive } from "@voice/shared/archive/cosmos-archive";
import { systemClock } from "@voice/shared/platform/clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { z } from "zod";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startDocumentStore } from "../fakes/document-store.ts";
import type { DocumentStore } from "../fakes/document-store.ts";
import { connectBrowser } from "../support/browser-client.ts";
import { startTestHost } from "../support/test-host.ts";
import { eventually } from "../support/wait.ts";
import { authenticationBy, bearerOf, type Credentials } from "../support/signed-callers.ts";
import { startApi } from "./http/api-harness.ts";
import { startTokenIssuer } from "./http/token-issuer.ts";

let store: DocumentStore;

beforeAll(async () => {
  store = await startDocumentStore();
});

beforeEach(() => {
  store.isAway = false;
});

afterAll(() => store.close());

const tokens = () => () => Promise.resolve("of-entra");
const open = () =>
  createCosmosArchive({ endpoint: store.url, database: "voice", tokens, scope: "https://cosmos.azure.com/.default" });

function archivedSession(sessionId: string, nth: number, owner: string | null) {
  const time = new Date(Date.UTC(2026, 2, 21, nth)).toISOString();
  return {
    session_id: sessionId,
    status: "ended" as const,
    end_reason: "caller_left",
    scenario: "banking",
    active_agent: "BankingConcierge",
    conversation_history: [],
    channel: "browser",
    user_email: null,
    streaming_mode: "REALTIME",
    created_at: time,
    last_activity_at: time,
    memory: {},
    recordings: [],
    cost: null,
    failures: [],
    usage: [],
    turns: [],
    owner,
    archived_at: time,
    call_connection_id: null,
  };
}

async function conversation(sessionId: string) {
  const state = createMemoryState({ clock: systemClock });
  const host = await startTestHost({ state, archive: open() });
  const browser = await connectBrowser(host.url(`/api/v1/browser/conversation?session_id=${sessionId}`));
  await browser.ask("hello");
  return { state, host, browser };
}

describe("the archive of conversations", () => {
  it("keeps one that has ended, with what was said and how long it took, and replaces it when it goes on", async () => {
    const { state, host, browser } = await conversation("session-kept");
    expect(store.documents.has("session-kept")).toBe(false);
    await browser.close();
    await eventually(() => store.documents.has("session-kept"), "the conversation is archived");
    expect(store.documents.get("session-kept")).toMatchObject({
      id: "session-kept",
      session_id: "session-kept",
      channel: "browser",
      archived_at: expect.stringMatching(/Z$/),
      turns: [{ marks: { first_audio_ms: expect.any(Number) } }],
    });
    const said = (): string => JSON.stringify(store.documents.get("session-kept")?.["conversation_history"]);
    expect(said()).toContain("You said hello.");
    const again = await connectBrowser(host.url("/api/v1/browser/conversation?session_id=session-kept"));
    await again.ask("goodbye then");
    await again.close();
    await eventually(() => said().includes("You said goodbye then."), "the rest is archived");
    expect(said()).toContain("You said hello.");
    expect([...store.tokens].join()).toContain("sig=of-entra");
    await host.close();
    await state.close();
  });

  it("has what was said when the host is told to stop", async () => {
    const { state, host } = await conversation("session-drained");
    await host.close();
    expect(store.documents.has("session-drained")).toBe(true);
    await state.close();
  });

  it("keeps it when the store is back", async () => {
    const { state, host, browser } = await conversation("session-late");
    store.isAway = true;
    await browser.close();
    await eventually(() => store.refused > 0, "the store has refused");
    store.isAway = false;
    await eventually(() => store.documents.has("session-late"), "the conversation is archived");
    await host.close();
    await state.close();
  });

  it("answers for a session whose day is over, with what was said", async () => {
    const { state, host, browser } = await conversation("session-of-last-week");
    await browser.close();
    await eventually(() => store.documents.has("session-of-last-week"), "the conversation is archived");
    await host.close();
    const archive = open();
    const api = await startApi({}, { state, archive: () => Promise.resolve(archive) });
    const path = "/api/v1/sessions/session-of-last-week";
    const before = await api.call("GET", path);
    await state.sessions.delete("session-of-last-week");
    const after = await api.call("GET", path);
    expect(after).toMatchObject({ status: 200, body: { session_id: "session-of-last-week", channel: "browser" } });
    for (const field of ["conversation_history", "memory", "active_agent"])
      expect(after.body).toHaveProperty(field, z.looseObject({}).parse(before.body)[field]);
    expect((await api.call("GET", `${path}/transcript/text`)).text).toContain("caller: hello");
    expect((await api.call("GET", "/api/v1/sessions/session-of-nobody")).status).toBe(404);
    await api.close();
  });

  it("keeps every word of a very long one, and forgets all of it", async () => {
    const archive = open();
    const said = Array.from({ length: 20_000 }, (_, at) => ({
      role: "user" as const,
      content: `the ${at}th sentence that a caller says`,
      agent: "front-desk",
      turn_id: `turn-${at}`,
      timestamp: "2026-03-21T10:00:00.000Z",
      interrupted: false,
      cut: null,
    }));
    const long = { ...archivedSession("session-long", 1, null), conversation_history: said };
    await archive.keep(long, new AbortController().signal);
    const documents = [...store.documents.keys()].filter((id) => id.startsWith("session-long"));
    expect(documents).toEqual(["session-long.part-2", "session-long.part-3", "session-long"]);
    expect(await archive.find("session-long")).toEqual(long);
    expect(await archive.forget("session-long")).toBe(true);
    expect([...store.documents.keys()].filter((id) => id.startsWith("session-long"))).toEqual([]);
  });

  it("lists what it has, the newest first, a page at a time and to everybody their own", async () => {
    const issuer = await startTokenIssuer();
    const archive = open();
    for (const [nth, owner] of ["alice", "bob", "alice", null, "alice"].entries())
      await archive.keep(archivedSession(`listed-${nth}`, nth, owner), new AbortController().signal);
    const api = await startApi(authenticationBy(issuer), { archive: () => Promise.resolve(archive) });
    const listed = async (path: string, who: string) => {
      const { body } = await api.call("GET", `/api/v1/sessions${path}`, undefined, await bearerOf(issuer, who));
      const { sessions, total } = z.object({ sessions: z.array(z.looseObject({})), total: z.number() }).parse(body);
      return [total, ...sessions.map((session) => session["session_id"])];
    };
    expect(await listed("?archived=true&limit=3", "alice")).toEqual([3, "listed-4", "listed-2", "listed-0"]);
    expect(await listed("?archived=true&limit=2&page=2", "alice")).toEqual([3, "listed-0"]);
    expect(await listed("?archived=true", "bob")).toEqual([1, "listed-1"]);
    expect(await listed("", "alice")).toEqual([0]);
    store.isAway = true;
    expect(
      await api.call("GET", "/api/v1/sessions?archived=true", undefined, await bearerOf(issuer, "bob")),
    ).toMatchObject({ status: 502, body: { type: "upstream_unavailable" } });
    await api.close();
    await issuer.close();
  });

  it("says where nothing is archived", async () => {
    const api = await startApi();
    expect(await api.call("GET", "/api/v1/sessions?archived=true")).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining("CLOUD_DOCSTORE_ENDPOINT") },
    });
    await api.close();
  });

  it("forgets a session that is deleted, also after it has expired, and says so when it cannot", async () => {
    const { state, host, browser } = await conversation("session-forgotten");
    await browser.close();
    await eventually(() => store.documents.has("session-forgotten"), "the conversation is archived");
    await host.close();
    const archive = open();
    const api = await startApi({}, { state, archive: () => Promise.resolve(archive) });
    store.isAway = true;
    expect(await api.call("DELETE", "/api/v1/sessions/session-forgotten")).toMatchObject({
      status: 502,
      body: { type: "upstream_unavailable" },
    });
    store.isAway = false;
    expect(typeof (await state.sessions.get("session-forgotten"))).toBe("object");
    await state.sessions.delete("session-forgotten");
    expect((await api.call("DELETE", "/api/v1/sessions/session-forgotten")).status).toBe(200);
    expect(store.documents.has("session-forgotten")).toBe(false);
    expect((await api.call("DELETE", "/api/v1/sessions/session-forgotten")).status).toBe(404);
    await api.close();
  });

  it("[ACCESS-6] deletes an expired session for its owner, and for nobody else", async () => {
    const issuer = await startTokenIssuer();
    const [alice, bob] = [await bearerOf(issuer, "alice"), await bearerOf(issuer, "bob")];
    const state = createMemoryState({ clock: systemClock });
    const host = await startTestHost({ state, archive: open(), settings: authenticationBy(issuer) });
    const browser = await connectBrowser(host.url("/api/v1/browser/conversation?session_id=session-of-alice"), alice);
    await browser.close();
    await eventually(() => store.documents.has("session-of-alice"), "the conversation is archived");
    await host.close();
    const archive = open();
    const api = await startApi(authenticationBy(issuer), { state, archive: () => Promise.resolve(archive) });
    await state.sessions.delete("session-of-alice");
    for (const what of ["", "/transcript", "/transcript/text", "/transcript/captions"]) {
      const ask = (credentials: Credentials) =>
        api.call("GET", `/api/v1/sessions/session-of-alice${what}`, undefined, credentials);
      expect([what, (await ask({})).status, (await ask(bob)).status, (await ask(alice)).status]).toEqual([
        what,
        401,
        403,
        200,
      ]);
    }
    const forget = (credentials: Credentials) =>
      api.call("DELETE", "/api/v1/sessions/session-of-alice", undefined, credentials);
    expect((await forget(bob)).status).toBe(403);
    expect(store.documents.has("session-of-alice")).toBe(true);
    expect((await forget(alice)).status).toBe(200);
    expect(store.documents.has("session-of-alice")).toBe(false);
    expect((await forget(alice)).status).toBe(404);
    await api.close();
    await issuer.close();
  });
});
