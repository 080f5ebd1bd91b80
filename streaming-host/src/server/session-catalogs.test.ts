import type { Catalog } from "@voice/shared/catalog/catalog";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { loadSettings } from "@voice/shared/config/load";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { beforeAll, describe, expect, it } from "vitest";
import { createLiveCatalog } from "./session-catalogs.ts";

const known = { tools: builtInTools, mcpServers: [] };
let catalog: Catalog;
beforeAll(async () => {
  catalog = await loadCatalog([builtInCatalogDir()], known);
});

async function rig() {
  const state = createMemoryState({ clock: new VirtualClock() });
  const live = createLiveCatalog({ settings: loadSettings({}), state, catalog, known });
  const compiled = await live.compile("session-1", { asked: "banking" });
  return { state, live, compiled };
}

const voice = { voice: { voice_name: "en-US-GuyNeural" } };
const echo = { name: "echo", prompt: "Repeat." };
const echoes = { name: "echoes", agents: ["echo"], start_agent: "echo" };

describe("the catalog of a live session", () => {
  it("is compiled again only when a version has moved", async () => {
    const { state, live } = await rig();
    expect(await live.look()).toBeUndefined();
    await state.agents.putOverride("card-specialist", 0, voice);
    expect((await live.look())?.agent("card-specialist")?.voice.name).toBe("en-US-GuyNeural");
    expect(await live.look()).toBeUndefined();
    await state.agents.putOverride("card-specialist", 1, {});
    expect((await live.look())?.agent("card-specialist")?.voice.name).not.toBe("en-US-GuyNeural");
  });

  it("keeps its scenario when an agent is made for the session", async () => {
    const { state, live, compiled } = await rig();
    await state.agents.create("session-1", "echo", echo);
    const changed = await live.look();
    expect(changed?.scenario.name).toBe(compiled.scenario.name);
    expect(changed?.agent("echo")?.prompt).toBe("Repeat.");
  });

  it("[LIVE-2] moves to the scenario that is made for the session, and stays there", async () => {
    const { state, live } = await rig();
    await state.agents.create("session-1", "echo", echo);
    await state.scenarios.create("session-1", "echoes", echoes);
    expect((await live.look())?.scenario.name).toBe("echoes");
    await state.agents.putOverride("echo", 0, voice);
    expect((await live.look())?.scenario.name).toBe("echoes");
  });

  it("takes no notice of what is made for another session", async () => {
    const { state, live } = await rig();
    await state.agents.create("session-2", "echo", echo);
    await state.scenarios.create("session-2", "echoes", echoes);
    expect(await live.look()).toBeUndefined();
  });

  it("complains once of what cannot be compiled", async () => {
    const { state, live } = await rig();
    await state.agents.create("session-1", "broken", { name: "broken" });
    await expect(live.look()).rejects.toMatchObject({ code: "internal_error" });
    expect(await live.look()).toBeUndefined();
  });
});
