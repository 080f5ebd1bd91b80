/** The archive, through the vendor's client, against a server that speaks the document store's protocol. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createCosmosArchive } from "@voice/shared/archive/cosmos-archive";
import { systemClock } from "@voice/shared/platform/clock";
import { CosmosDocuments } from "@voice/shared/archive/cosmos-documents";
import { createFolderRecordingStore } from "@voice/shared/recordings/folder-recording-store";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { z } from "zod";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
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

/** The document of the only conversation under this id. */
const documentOf = (sessionId: string) =>
  [...store.documents.values()].find((document) => document.session_id === sessionId);
const isKept = (sessionId: string): boolean => documentOf(sessionId) !== undefined;

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
    expect(isKept("session-kept")).toBe(false);
    await browser.close();
    await eventually(() => isKept("session-kept"), "the conversation is archived");
    expect(documentOf("session-kept")).toMatchObject({
      id: expect.stringMatching(/^session-kept!\d{13}$/),
      session_id: "session-kept",
      channel: "browser",
      archived_at: expect.stringMatching(/Z$/),
      turns: [{ marks: { first_audio_ms: expect.any(Number) } }],
    });
    const said = (): string => JSON.stringify(documentOf("session-kept")?.["conversation_history"]);
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
    expect(isKept("session-drained")).toBe(true);
    await state.close();
  });

  it("keeps it when the store is back", async () => {
    const { state, host, browser } = await conversation("session-late");
    store.isAway = true;
    await browser.close();
    await eventually(() => store.refused > 0, "the store has refused");
    store.isAway = false;
    await eventually(() => isKept("session-late"), "the conversation is archived");
    await host.close();
    await state.close();
  });

  it("keeps it on another host when the store was away until its own had gone", async () => {
    const { state, host } = await conversation("session-left-behind");
    store.isAway = true;
    await host.close();
    expect(isKept("session-left-behind")).toBe(false);
    store.isAway = false;
    const other = await startTestHost({ state, archive: open() });
    await eventually(() => isKept("session-left-behind"), "the conversation is archived");
    await other.close();
    await state.close();
  });

  it("answers for a session whose day is over, with what was said", async () => {
    const { state, host, browser } = await conversation("session-of-last-week");
    await browser.close();
    await eventually(() => isKept("session-of-last-week"), "the conversation is archived");
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
    const [key] = await archive.conversationsOf("session-long");
    if (key === undefined) throw new Error("the conversation was not kept");
    const id = `session-long!${Date.parse(long.created_at)}`;
    expect(documents).toEqual([`${id}.part-2`, `${id}.part-3`, id]);
    expect(await archive.read(key)).toEqual(long);
    expect(await archive.forget(key)).toBe(true);
    expect(await archive.forget(key)).toBe(false);
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

  it("[TENANT-3] lists a tenant's to its operators", async () => {
    const issuer = await startTokenIssuer();
    const archive = open();
    for (const [nth, owner] of ["@acme/alice", "@acme/", "@acme2/alice", "alice"].entries())
      await archive.keep(archivedSession(`tenants-${nth}`, nth, owner), new AbortController().signal);
    const settings = { ...authenticationBy(issuer), TENANT_CLAIM: "org" };
    const api = await startApi(settings, { archive: () => Promise.resolve(archive) });
    const listed = async (who: string, roles: readonly string[]) => {
      const credentials = await bearerOf(issuer, who, roles, { org: "acme" });
      const { text } = await api.call("GET", "/api/v1/sessions?archived=true", undefined, credentials);
      return [...text.matchAll(/tenants-\d/g)].map(([id]) => id);
    };
    expect(await listed("hedda", ["Voice.Operator"])).toEqual(["tenants-1", "tenants-0"]);
    expect(await listed("alice", [])).toEqual(["tenants-0"]);
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
    await eventually(() => isKept("session-forgotten"), "the conversation is archived");
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
    expect(isKept("session-forgotten")).toBe(false);
    expect((await api.call("DELETE", "/api/v1/sessions/session-forgotten")).status).toBe(404);
    await api.close();
  });

  it("[ACCESS-6b] deletes an expired session for its owner, and for nobody else", async () => {
    const issuer = await startTokenIssuer();
    const [alice, bob] = [await bearerOf(issuer, "alice"), await bearerOf(issuer, "bob")];
    const state = createMemoryState({ clock: systemClock });
    const host = await startTestHost({ state, archive: open(), settings: authenticationBy(issuer) });
    const browser = await connectBrowser(host.url("/api/v1/browser/conversation?session_id=session-of-alice"), alice);
    await browser.close();
    await eventually(() => isKept("session-of-alice"), "the conversation is archived");
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
    expect(isKept("session-of-alice")).toBe(true);
    expect((await forget(alice)).status).toBe(200);
    expect(isKept("session-of-alice")).toBe(false);
    expect((await forget(alice)).status).toBe(404);
    await api.close();
    await issuer.close();
  });

  it("[ACCESS-20a] [ACCESS-20b] keeps a conversation apart from a later one of somebody else under the same session id", async () => {
    const issuer = await startTokenIssuer();
    const [alice, bob] = [await bearerOf(issuer, "alice"), await bearerOf(issuer, "bob")];
    const state = createMemoryState({ clock: systemClock });
    const settings = authenticationBy(issuer);
    const folder = await mkdtemp(path.join(tmpdir(), "recordings-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const [archive, recordings] = [open(), createFolderRecordingStore(folder)];
    const recorded = { ...settings, RECORDING_ENABLED: "true", RECORDING_DIR: folder };
    const host = await startTestHost({ state, archive, settings: recorded });
    const parts = { archive: () => Promise.resolve(archive), recordings: () => Promise.resolve(recordings) };
    const api = await startApi(settings, { state, ...parts });
    const target = "/api/v1/sessions/session-shared";
    const listed = async (who: Credentials) => {
      const { body } = await api.call("GET", "/api/v1/sessions?archived=true", undefined, who);
      const { sessions } = z.object({ sessions: z.array(z.looseObject({})) }).parse(body);
      return sessions.filter((session) => session["session_id"] === "session-shared").length;
    };
    const talk = async (who: Credentials, words: string) => {
      // Agents of which nothing is noted afterwards: noting archives once more, and would find that the session is gone.
      const query = "session_id=session-shared&scenario=insurance";
      const browser = await connectBrowser(host.url(`/api/v1/browser/conversation?${query}`), who);
      await browser.ask(words);
      await browser.close();
      await eventually(async () => (await listed(who)) === 1, "the conversation is archived");
      const recorded = async () => {
        const { body } = await api.call("GET", target, undefined, who);
        const [recording] = z
          .object({ recordings: z.array(z.object({ recording_id: z.string() })) })
          .parse(body).recordings;
        return { sessionId: "session-shared", recordingId: recording?.recording_id ?? "none" };
      };
      // Not only created: until its first audio is there, it is taken back when the session is deleted.
      const recordedBytes = async () => (await recordings.find(await recorded()))?.dataBytes ?? 0;
      await eventually(async () => (await recordedBytes()) > 0, "the recording has audio");
      return recorded();
    };
    const transcript = async (who: Credentials) =>
      (await api.call("GET", `${target}/transcript/text`, undefined, who)).text;
    const forget = async (who: Credentials) => (await api.call("DELETE", target, undefined, who)).status;

    const hers = await talk(alice, "hello");
    await state.sessions.delete("session-shared"); // as if its day were over
    const his = await talk(bob, "goodbye then");
    expect([await listed(alice), await listed(bob)]).toEqual([1, 1]);
    expect(await listed(await bearerOf(issuer, "olga", ["Voice.Operator"]))).toBe(2);
    expect(await transcript(alice)).toContain("caller: hello");
    expect(await transcript(bob)).toContain("caller: goodbye then");
    expect(await forget(bob)).toBe(200);
    expect([await listed(alice), await listed(bob)]).toEqual([1, 0]);
    expect(await transcript(alice)).toContain("caller: hello");
    expect(await recordings.find(hers)).toBeDefined();
    expect(await recordings.find(his)).toBeUndefined();
    expect(await forget(bob)).toBe(403);
    expect(await forget(alice)).toBe(200);
    expect(await listed(alice)).toBe(0);
    expect(await recordings.find(hers)).toBeUndefined();
    expect(await forget(alice)).toBe(404);
    await host.close();
    await api.close();
    await issuer.close();
  });

  it("reads, lists and deletes what was archived while each session id had one conversation, and replaces it", async () => {
    const documents = new CosmosDocuments({
      endpoint: store.url,
      database: "voice",
      container: "conversations",
      tokens,
      scope: "https://cosmos.azure.com/.default",
    });
    const { signal } = new AbortController();
    const archive = open();
    const isLeft = (): boolean => isKept("session-older") || store.entries.has("session-older");
    const putOlder = async () => {
      const whole = archivedSession("session-older", 1, "alice");
      const { conversation_history, turns, ...summary } = whole;
      const part = { conversation_history, turns: [], session_id: "session-older", id: "session-older.part-2" };
      await documents.put("session-older", part, signal);
      await documents.put("session-older", { ...whole, turns, id: "session-older", parts: 2 }, signal);
      const entry = { id: "session-older", session_id: "list/archived", owner: "alice" };
      await documents.put("list/archived", { ...entry, last_activity_at: summary.last_activity_at, summary }, signal);
      return whole;
    };
    const whole = await putOlder();
    const key = { sessionId: "session-older", createdAt: whole.created_at };
    expect(await archive.conversationsOf("session-older")).toEqual([{ ...key, owner: "alice", recordingIds: [] }]);
    expect(await archive.read(key)).toMatchObject({ session_id: "session-older", owner: "alice" });
    const later = archivedSession("session-older", 30, "bob");
    await archive.keep(later, signal);
    expect(await archive.forget({ ...key, createdAt: later.created_at })).toBe(true);
    expect(await archive.read(key)).toMatchObject({ owner: "alice" });
    expect(await archive.forget(key)).toBe(true);
    expect(isLeft()).toBe(false);

    // Its session goes on under a newer version.
    await archive.keep({ ...(await putOlder()), scenario: "insurance" }, signal);
    const names = [...store.documents.keys(), ...store.entries.keys()].filter((id) => id.startsWith("session-older"));
    expect(new Set(names)).toEqual(new Set([`session-older!${Date.parse(key.createdAt)}`]));
    expect(await archive.read(key)).toMatchObject({ scenario: "insurance" });
    expect(await archive.forget(key)).toBe(true);
    expect(isLeft()).toBe(false);
  });

  it("[ACCESS-20e] deletes what is of one owner at a time where several have used an id, and leaves the others' alone", async () => {
    const issuer = await startTokenIssuer();
    const [alice, bob] = [await bearerOf(issuer, "alice"), await bearerOf(issuer, "bob")];
    const operator = await bearerOf(issuer, "olga", ["Voice.Operator"]);
    const archive = open();
    const api = await startApi(authenticationBy(issuer), { archive: () => Promise.resolve(archive) });
    const { sessions, agents } = api.state;
    const id = "session-of-many";
    const keep = (nth: number, owner: string) =>
      archive.keep(archivedSession(id, nth, owner), new AbortController().signal);
    const owners = async () => (await archive.conversationsOf(id)).map(({ owner }) => owner);
    const ask = async (method: "GET" | "DELETE", who: Credentials) => {
      const { status, body } = await api.call(method, `/api/v1/sessions/${id}`, undefined, who);
      return [status, z.looseObject({}).parse(body)["created_at"]];
    };
    const at = (nth: number): string => archivedSession(id, nth, null).created_at;

    await keep(1, "alice");
    await keep(2, "alice");
    await agents.create(id, "OwnAgent", { prompt: "Be brief." }, "bob");
    expect(await ask("GET", alice)).toEqual([200, at(2)]);
    expect(await ask("DELETE", alice)).toEqual([200, undefined]);
    expect([await owners(), (await agents.list(id)).length]).toEqual([[], 1]);
    expect(await ask("DELETE", alice)).toEqual([403, undefined]);

    await keep(1, "alice");
    await sessions.create({ ...newSession(id, Date.parse(at(3))), owner: "bob" });
    expect([await ask("GET", alice), await ask("GET", bob), await ask("GET", operator)]).toEqual([
      [200, at(1)],
      [200, at(3)],
      [200, at(3)],
    ]);
    expect(await ask("DELETE", alice)).toEqual([200, undefined]);
    expect([await owners(), await sessions.get(id)]).toMatchObject([[], { owner: "bob" }]);
    expect([await ask("GET", alice), await ask("DELETE", alice)]).toEqual([
      [403, undefined],
      [403, undefined],
    ]);

    await keep(1, "alice");
    expect(await ask("DELETE", operator)).toEqual([200, undefined]);
    expect([await owners(), await sessions.get(id)]).toEqual([["alice"], "expired"]);
    expect(await ask("DELETE", operator)).toEqual([200, undefined]);
    expect(await owners()).toEqual([]);
    expect(await ask("DELETE", operator)).toEqual([404, undefined]);
    await api.close();
    await issuer.close();
  });
});
