import { describe, expect, it } from "vitest";

import { ApiProblem } from "../api/api-problem.ts";
import type { BuildApi, Document } from "../api/build-api.ts";
import { StoredValue } from "../stored-value.ts";
import { BuildSession, storedDrafts } from "./build-session.ts";
import { keyOf, routesPart } from "./part.ts";
import type { PartName } from "./part.ts";

const desk: PartName = { kind: "agent", name: "desk" };
const bank: PartName = { kind: "scenario", name: "bank" };
const bankInfo = { name: "bank", description: "", agents: ["desk", "cards"], start_agent: "desk" };

/** A tab's storage, which may be full. */
function openTab() {
  let kept: string | null = null;
  const storage = {
    isFull: false,
    getItem: () => kept,
    setItem: (_key: string, text: string) => {
      if (storage.isFull) throw new DOMException("full", "QuotaExceededError");
      kept = text;
    },
    removeItem: () => {
      kept = null;
    },
  };
  return Object.assign(new StoredValue(storage, "drafts", storedDrafts), { storage });
}

function begin(refuse?: ApiProblem, tab = openTab()) {
  const asked: [string, Document, string | undefined][] = [];
  let tables = 0;
  const make = async (what: string, document: Document, sessionId: string | undefined): Promise<string> => {
    asked.push([what, document, sessionId]);
    if (refuse !== undefined) throw refuse;
    return Promise.resolve(sessionId ?? "session-1");
  };
  const api: BuildApi = {
    agents: () => Promise.resolve({ agents: [], available_voices: { standard: ["Ava"] } }),
    tools: () => Promise.resolve({ tools: [], tool_servers: [] }),
    routeTable: () => Promise.resolve({ version: tables, routes: [{ channel: "browser", scenario: "bank" }] }),
    releases: () => Promise.resolve({ releases: [], live: [{ version: 0, share: 100 }] }),
    release: (version) => Promise.resolve({ version, agent_documents: [], scenario_documents: [] }),
    publish: async ({ agents, scenarios, route_table: table }) => {
      for (const document of [...agents, ...scenarios, ...(table === undefined ? [] : [table])])
        await make("publish", document, undefined);
      tables = 4;
      return { version: 4, agent_documents: [], scenario_documents: [] };
    },
    shareOut: (live) => Promise.resolve({ releases: [], live }),
    agent: (name) =>
      Promise.resolve({
        name,
        definition: { name, prompt: `You are ${name}.`, tools: ["end_call"], voice: { voice_name: "Ava" } },
        model: { deployment_id: "gpt", temperature: 0.6, top_p: null, max_tokens: null },
        voice: { current_voice: "Ava", voice_style: null, voice_rate: null },
      }),
    scenario: () =>
      Promise.resolve({
        ...bankInfo,
        language: "de-DE",
        time_zone: null,
        handoffs: [{ from: "desk", to: "cards", tool: null, share_context: true }],
      }),
    makeAgent: (document, sessionId) => make("agent", document, sessionId),
    makeScenario: (document, sessionId) => make("scenario", document, sessionId),
    changeAgent: (_, change) => {
      asked.push(["change", change, undefined]);
      return Promise.resolve("Agent changed.");
    },
  };
  return { session: new BuildSession(api, tab), asked, reload: () => new BuildSession(api, tab) };
}

async function opened(session: BuildSession, ...parts: readonly PartName[]): Promise<void> {
  for (const part of parts) session.open(part);
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

const part = (session: BuildSession, name: PartName) => session.store.get().parts[keyOf(name)];

describe("building", () => {
  it("[BUILD-1] has the drafts again after a reload, until they are discarded", async () => {
    const { session, reload } = begin();
    await opened(session, desk);
    session.change(desk, "greeting", "Hi");
    session.create({ kind: "agent", name: "night" }, { name: "night", prompt: "You answer at night." });
    const after = reload();
    await opened(after, desk);
    expect(part(after, desk)).toMatchObject({ isChanged: true, document: { greeting: "Hi" } });
    expect(after.changed("agent").map(({ name }) => name)).toEqual(["desk", "night"]);
    after.discard({ kind: "agent", name: "night" });
    after.discard(desk);
    expect(part(after, desk)).toMatchObject({ isChanged: false, effective: { model: { deployment_id: "gpt" } } });
    expect(reload().store.get().parts).toEqual({});
  });

  it("[BUILD-1] says when the browser has no room for a draft", async () => {
    const tab = openTab();
    const { session } = begin(undefined, tab);
    await opened(session, desk);
    tab.storage.isFull = true;
    session.change(desk, "greeting", "Hi");
    expect(session.store.get().areDraftsKept).toBe(false);
    tab.storage.isFull = false;
    session.change(desk, "greeting", "Hello");
    expect(session.store.get().areDraftsKept).toBe(true);
  });

  it("[BUILD-1] keeps what was changed as a draft until it is as it was", async () => {
    const { session } = begin();
    await opened(session, desk);
    expect(part(session, desk)).toMatchObject({ isChanged: false });
    session.change(desk, "voice.voice_rate", "+5%");
    expect(part(session, desk)).toMatchObject({ isChanged: true, document: { voice: { voice_rate: "+5%" } } });
    await opened(session, desk);
    expect(part(session, desk)?.isChanged).toBe(true);
    session.change(desk, "voice.voice_rate", undefined);
    expect(part(session, desk)?.isChanged).toBe(false);
    session.change(desk, "greeting", "Hi");
    session.discard(desk);
    expect(part(session, desk)).toMatchObject({ isChanged: false, document: { prompt: "You are desk." } });
  });

  it("[BUILD-2] tries what was changed in one new session, and begins with the agent that is looked at", async () => {
    const { session, asked } = begin();
    await opened(session, desk, { kind: "agent", name: "cards" }, { kind: "agent", name: "stranger" });
    session.change(desk, "greeting", "Hi");
    session.change({ kind: "agent", name: "cards" }, "greeting", "Cards");
    session.change({ kind: "agent", name: "stranger" }, "greeting", "Who?");
    const trial = await session.tryOut(desk, bankInfo);
    expect(trial).toEqual({ preparedSessionId: "session-1", scenario: "bank", agent: "desk" });
    expect(asked.map(([what, { name }, sessionId]) => [what, name, sessionId])).toEqual([
      ["agent", "desk", undefined],
      ["agent", "cards", "session-1"],
    ]);
  });

  it("creates the changed agents before the changed scenario, and begins with the scenario's start agent", async () => {
    const { session, asked } = begin();
    await opened(session, bank, desk);
    session.change(desk, "greeting", "Hi");
    session.change(bank, "start_agent", "cards");
    expect(await session.tryOut(bank, undefined)).toEqual({
      preparedSessionId: "session-1",
      scenario: "bank",
      agent: "cards",
    });
    expect(asked.map(([what, , sessionId]) => [what, sessionId])).toEqual([
      ["agent", undefined],
      ["scenario", "session-1"],
    ]);
    expect(asked[1]?.[1]).toMatchObject({ language: "de-DE" });
    // What says nothing is not sent.
    expect(asked[1]?.[1]).not.toHaveProperty("time_zone");
    expect(asked[1]?.[1]["handoffs"]).toEqual([{ from: "desk", to: "cards", share_context: true }]);
  });

  it("makes nothing where nothing was changed", async () => {
    const { session, asked } = begin();
    await opened(session, bank);
    expect(await session.tryOut(bank, undefined)).toEqual({
      preparedSessionId: undefined,
      scenario: "bank",
      agent: "desk",
    });
    expect(asked).toEqual([]);
  });

  it("[BUILD-2] says at its field what the service refuses, until the field is changed", async () => {
    const refusal = new ApiProblem(422, { detail: [{ loc: ["body", "tools", 1], msg: "there is no such tool" }] });
    const { session } = begin(refusal);
    await opened(session, desk);
    session.change(desk, "tools", ["end_call", "fly"]);
    expect(await session.tryOut(desk, bankInfo)).toBeUndefined();
    expect(session.store.get()).toMatchObject({
      isBusy: false,
      problem: { part: "agent/desk", fields: [{ field: "tools.1", message: "there is no such tool" }] },
    });
    session.change(desk, "tools", ["end_call"]);
    expect(session.store.get().problem).toBeUndefined();
  });

  it("[BUILD-3] tells a running service of a changed model and voice, and of nothing else", async () => {
    const { session, asked } = begin();
    await opened(session, desk);
    session.change(desk, "prompt", "You are somebody else.");
    await session.applyToAll(desk);
    expect(asked).toEqual([]);
    session.change(desk, "model.cascade.temperature", 0.2);
    session.change(desk, "voice.voice_rate", "+5%");
    await session.applyToAll(desk);
    expect(asked[0]?.[1]).toEqual({ model: { temperature: 0.2 }, voice: { voice_rate: "+5%" } });
    expect(session.store.get().done).toBe("Agent changed.");
  });

  it("[PUBLISH-1] knows which conversation tries which part, and that the part was changed since", async () => {
    const { session } = begin();
    await opened(session, desk, bank);
    const version = session.versionOf(desk, bankInfo);
    session.beginTrial(desk, version);
    session.bindTrial("session-1");
    session.bindTrial("session-2");
    expect(session.store.get().trial).toEqual({ part: "agent/desk", version, sessionId: "session-1" });
    expect(session.versionOf(desk, bankInfo)).toBe(version);
    session.change(desk, "greeting", "Hi");
    const changed = session.versionOf(desk, bankInfo);
    session.change(bank, "start_agent", "cards");
    expect(new Set([version, changed, session.versionOf(desk, bankInfo)]).size).toBe(3);
    session.discard(desk);
    session.discard(bank);
    expect(session.versionOf(desk, bankInfo)).toBe(version);
  });

  it("[PUBLISH-8] publishes everything that was changed, which is then what is deployed", async () => {
    const { session, asked } = begin();
    await opened(session, desk, bank);
    session.change(desk, "greeting", "Hi");
    expect(await session.publish("Greets", 10)).toBe(true);
    expect(asked.map(([what, { name }]) => [what, name])).toEqual([["publish", "desk"]]);
    expect(session.store.get().done).toBe("Published as version 4, for 10 % of new conversations.");
    expect(part(session, desk)).toMatchObject({ isChanged: false, original: { greeting: "Hi" } });
  });

  it("[PUBLISH-7] says at its field why what was changed cannot be published", async () => {
    const refusal = new ApiProblem(422, {
      detail: [{ loc: ["body", "agents", 0, "tools", 1], msg: "there is no such tool" }],
    });
    const { session } = begin(refusal);
    await opened(session, desk);
    session.change(desk, "tools", ["end_call", "fly"]);
    expect(await session.publish("Flies", 100)).toBe(false);
    expect(session.store.get()).toMatchObject({
      isBusy: false,
      problem: { part: "agent/desk", fields: [{ field: "tools.1", message: "there is no such tool" }] },
    });
    expect(part(session, desk)).toMatchObject({ isChanged: true });
  });

  it("[ROUTE-10] publishes the table of routes with the version that it was read from, and reads it again", async () => {
    const { session, asked } = begin();
    await opened(session, routesPart);
    session.change(routesPart, "routes.0.language", "de-DE");
    expect(await session.publish("In German", 100)).toBe(true);
    const row = { channel: "browser", scenario: "bank", language: "de-DE" };
    expect(asked).toEqual([["publish", { version: 0, routes: [row] }, undefined]]);
    expect(part(session, routesPart)).toMatchObject({ isChanged: false, document: { version: 4 } });
    expect(session.store.get().done).toBe("Published as version 4, for all new conversations.");
  });

  it("[ROUTE-10] says at which row the table cannot be published", async () => {
    const loc = ["body", "route_table", "routes", 0, "scenario"];
    const { session } = begin(new ApiProblem(422, { detail: [{ loc, msg: "unknown scenario" }] }));
    await opened(session, routesPart);
    session.change(routesPart, "routes.0.scenario", "banking");
    expect(await session.publish("Banking", 100)).toBe(false);
    const { problem } = session.store.get();
    expect(problem).toMatchObject({ part: "routes/routes", fields: [{ field: "routes.0.scenario" }] });
    session.change(routesPart, "routes.0.scenario", "bank");
    expect(session.store.get().problem).toBeUndefined();
  });

  it("makes new ones, which are gone when they are discarded", () => {
    const { session } = begin();
    const night: PartName = { kind: "agent", name: "night" };
    expect(session.create(night, { name: "night", prompt: "You answer at night." })).toBe(true);
    expect(session.create({ kind: "agent", name: "Night" }, {})).toBe(false);
    session.discard(night);
    expect(part(session, night)).toBeUndefined();
  });
});
