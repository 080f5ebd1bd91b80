import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadServiceCatalog } from "../catalog/load-service-catalog.ts";
import { defaultScenarioOf } from "../catalog/resolve-scenario.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { loadSettings } from "../config/load.ts";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { silentLogger } from "../platform/logger.ts";
import { loadTools } from "../tools/load-tools.ts";
import { builtInTools } from "../tools/built-in-tools.ts";
import { hasDemo } from "./demo.ts";

const parts = { clock: new VirtualClock(), logger: silentLogger };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "own-catalog-"));
  await mkdir(join(folder, "agents", "waiter"), { recursive: true });
  await writeFile(join(folder, "agents", "waiter", "agent.yaml"), "description: Waits on tables.\ntools: [end_call]\n");
  await writeFile(join(folder, "agents", "waiter", "prompt.md"), "You wait on tables.\n");
});

afterAll(() => rm(folder, { recursive: true }));

const load = (environment: Readonly<Record<string, string>>) => loadServiceCatalog(loadSettings(environment));

describe("the demonstration", () => {
  it("[DEMO-1] is there where nobody has brought agents, except in production", () => {
    expect(hasDemo({ catalogDir: undefined, demoEnabled: undefined, environment: "development" })).toBe(true);
    expect(hasDemo({ catalogDir: undefined, demoEnabled: undefined, environment: "production" })).toBe(false);
    expect(hasDemo({ catalogDir: "own", demoEnabled: undefined, environment: "development" })).toBe(false);
    expect(hasDemo({ catalogDir: "own", demoEnabled: true, environment: "production" })).toBe(true);
  });

  it("[DEMO-2] leaves nothing in a catalog of one's own: no agent, guardrail, variable, intent or tool", async () => {
    const catalog = await load({ CATALOG_DIR: folder });
    expect([...catalog.agents.keys()]).toEqual(["waiter"]);
    expect(catalog.agents.get("waiter")).toMatchObject({ guardrails: [], templateVars: {} });
    expect(JSON.stringify(catalog.defaults)).not.toMatch(/bank|verify_identity|search_knowledge/i);
    const { tools } = await loadTools(loadSettings({ CATALOG_DIR: folder }), parts);
    expect([...tools.keys()]).toEqual([...builtInTools.keys()]);
  });

  it("[DEMO-3] stays beside a catalog of one's own where DEMO_ENABLED says so", async () => {
    const catalog = await load({ CATALOG_DIR: folder, DEMO_ENABLED: "true" });
    expect([...catalog.agents.keys()]).toEqual(expect.arrayContaining(["front-desk", "waiter"]));
  });

  it("[DEMO-1] is named where there would be no agents at all", async () => {
    await expect(load({ DEMO_ENABLED: "false" })).rejects.toThrow(ConfigurationError);
    await expect(load({ DEMO_ENABLED: "false" })).rejects.toThrow(
      /CATALOG_DIR: there are no agents.*DEMO_ENABLED=true/,
    );
  });
});

it("the only agent of a catalog answers without a scenario that says so", async () => {
  const catalog = await load({ CATALOG_DIR: folder });
  expect(defaultScenarioOf(catalog)).toBe("default");
  expect(catalog.scenarios.get("default")).toMatchObject({ agents: ["waiter"], startAgent: "waiter" });
});
