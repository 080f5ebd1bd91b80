import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { ReleasedCatalogs } from "@voice/shared/catalog/released-catalogs";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { maxDocumentsPerSession } from "@voice/shared/state/records/session-documents";
import { describe, expect, it } from "vitest";
import { busyMs } from "../../../testing/busy-ms.ts";
import { LiveCatalog } from "./session-catalogs.ts";

const known = { tools: demoTools, mcpServers: [] };
const catalog = await loadCatalog(demoCatalogDirs, known);
const sessionId = "session-0123456789";

function sources(environment: Record<string, string> = {}) {
  const state = createMemoryState({ clock: new VirtualClock(), logger: silentLogger });
  const settings = loadSettings(environment);
  const releases = new ReleasedCatalogs(catalog, known, { store: state.releases, logger: silentLogger });
  return { settingsNow: () => settings, state, releases, known, logger: silentLogger };
}

describe("the agent and scenario that a session begins with", () => {
  it("prefers what the session has, then the address, then the setting, then the default", async () => {
    const plain = sources();
    const configured = sources({ AGENT_SCENARIO: "insurance" });
    const scenarioOf = async (from: ReturnType<typeof sources>, wish: object): Promise<string> =>
      (await new LiveCatalog(from).compile(sessionId, wish)).scenario.name;
    expect(await scenarioOf(plain, {})).toBe("default");
    expect(await scenarioOf(configured, {})).toBe("insurance");
    expect(await scenarioOf(configured, { asked: "banking" })).toBe("banking");
    expect(await scenarioOf(configured, { asked: "banking", remembered: "default" })).toBe("default");
  });

  it("takes what the client configures in so many words before anything else", async () => {
    const config = { type: "config", scenario: "banking" } as const;
    const compiled = await new LiveCatalog(sources(), config).compile(sessionId, { remembered: "insurance" });
    expect(compiled.scenario.name).toBe("banking");
  });

  it("begins with the agent that was made for the session", async () => {
    const from = sources();
    await from.state.agents.create(sessionId, "night-desk", {
      name: "night-desk",
      prompt: "You answer calls at night.",
    });
    const { scenario, agent } = await new LiveCatalog(from).compile(sessionId, {});
    expect(scenario.startAgent).toBe("night-desk");
    expect(agent("night-desk")).toBeDefined();
  });

  it("leaves out what was made for the session and no longer passes its check, and begins without it", async () => {
    const from = sources();
    const agent = { name: "night-desk", prompt: "You answer calls at night.", tools: ["a_tool_that_was_removed"] };
    await from.state.agents.create(sessionId, "night-desk", agent);
    await from.state.scenarios.create(sessionId, "night", {
      name: "night",
      agents: ["night-desk"],
      start_agent: "night-desk",
    });
    await from.state.agents.putOverride("front-desk", 0, { voice: { pace: "fast" } });
    const compiled = await new LiveCatalog(from).compile(sessionId, { remembered: "night" });
    expect(compiled.scenario.name).toBe("default");
    expect(compiled.agent("night-desk")).toBeUndefined();
  });

  it("[PUBLISH-4] is of the published version, which a session keeps that has begun with it", async () => {
    const from = sources();
    const prompt = "You answer calls for Harbor Bank.";
    const publish = async (greeting: string): Promise<void> => {
      const before = await from.state.releases.live();
      const agents = { "front-desk": { name: "front-desk", prompt, greeting } };
      const release = await from.state.releases.add({ author: "ada", note: "greets", agents, scenarios: {} }, before);
      await from.state.releases.setLive([{ version: release.version, share: 100 }], before);
    };
    const begun = async (wish: { readonly release?: number } = {}) => {
      const compiled = await new LiveCatalog(from).compile(sessionId, wish);
      return [compiled.release ?? 0, compiled.agent("front-desk")?.greeting];
    };
    const [, ofFiles] = await begun();
    await publish("Good morning.");
    expect(await begun()).toEqual([1, "Good morning."]);
    await publish("Good evening.");
    expect(await begun()).toEqual([2, "Good evening."]);
    expect(await begun({ release: 1 })).toEqual([1, "Good morning."]);
    expect(await begun({ release: 0 })).toEqual([0, ofFiles]);
  });

  it("refuses a scenario that does not exist", async () => {
    await expect(new LiveCatalog(sources()).compile(sessionId, { asked: "nowhere" })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("a session with as many agents as it may have", () => {
  /** 64 agents, which together take a megabyte. */
  async function crowded() {
    const from = sources();
    const intent = (at: number) => ({
      examples: [`please do number ${at} {what}`],
      slots: { what: ["now", "later"] },
      say: "Done.",
    });
    const intents = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`intent_${at}`, intent(at)]));
    for (let at = 0; at < maxDocumentsPerSession; at++) {
      const prompt = `You are number ${at}. ${"You answer whatever callers ask you. ".repeat(200)}`;
      await from.state.agents.create(sessionId, `agent-${at}`, { name: `agent-${at}`, prompt, rules: { intents } });
    }
    return from;
  }

  /** What some work takes of the processor, and the longest part of it that nothing of anybody else can interrupt. */
  async function sliced(work: () => Promise<unknown>): Promise<{ readonly longestMs: number; readonly allMs: number }> {
    let longestMs = 0;
    let allMs = 0;
    let isOver = false;
    let since = busyMs();
    const round = (): void => {
      const now = busyMs();
      longestMs = Math.max(longestMs, now - since);
      allMs += now - since;
      since = busyMs();
      if (!isOver) setImmediate(round);
    };
    setImmediate(round);
    await work();
    isOver = true;
    round();
    return { longestMs, allMs };
  }

  it("is compiled in slices, and costs a message next to nothing", async () => {
    const live = new LiveCatalog(await crowded());
    // Measured: 7 ms of 200, and less than half a millisecond for each look before a turn. A collection of garbage may come on top.
    const compiled = await sliced(() => live.compile(sessionId, {}));
    expect(compiled.longestMs).toBeLessThan(compiled.allMs / 2);
    const looks = await sliced(async () => {
      for (let turn = 0; turn < 5; turn++) await live.look();
    });
    expect(looks.allMs).toBeLessThan(compiled.allMs / 4);
  });
});
