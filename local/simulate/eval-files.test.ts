import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { describe, expect, it } from "vitest";
import { readEvalFiles } from "./eval-files.ts";
import { planSessions } from "./plan-sessions.ts";

const builtIn = fileURLToPath(new URL("evals", import.meta.url));

describe("the files of personas and goals", () => {
  it("[EVAL-1] that ship name scenarios, agents and tools that there are", async () => {
    const { personas, scenarios } = await readEvalFiles([{ folder: builtIn, hasGoals: true }]);
    const catalog = await loadCatalog(
      demoCatalogDirs,
      { tools: demoTools, mcpServers: [] },
      { language: catalogLanguage },
    );
    expect([...personas.keys()]).toEqual(["chatty", "confused", "hostile", "impatient"]);
    expect([...scenarios.keys()].toSorted()).toEqual([...catalog.scenarios.keys()].toSorted());
    for (const { scenario, goals } of scenarios.values())
      for (const { checks } of goals) {
        expect(catalog.scenarios.get(scenario)?.agents).toEqual(expect.arrayContaining(checks.agents));
        for (const tool of [...checks.tools, ...checks.tools_not_succeeded]) expect(demoTools.has(tool)).toBe(true);
      }
  });

  it("[EVAL-1] are refused with file and key, all mistakes at once", async () => {
    const folder = await mkdtemp(join(tmpdir(), "evals-"));
    await mkdir(join(folder, "personas"));
    await mkdir(join(folder, "scenarios"));
    await writeFile(join(folder, "personas", "shy.yaml"), "description: Somebody shy.\nvoice: slt\n");
    await writeFile(join(folder, "scenarios", "x.yaml"), "scenario: x\ngoals: []\nrubric: { Tone!: Kind. }\n");
    const read = readEvalFiles([{ folder, hasGoals: true }]);
    await expect(read).rejects.toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ file: join("personas", "shy.yaml"), key: "caller", message: "is missing" }),
        expect.objectContaining({ file: join("personas", "shy.yaml"), key: "voice", message: "unknown key" }),
        expect.objectContaining({ file: join("scenarios", "x.yaml"), key: "goals" }),
        expect.objectContaining({ file: join("scenarios", "x.yaml"), key: "rubric.Tone!" }),
      ]),
    });
    await rm(folder, { recursive: true });
  });
});

describe("the plan", () => {
  it("[EVAL-4] takes personas and goals in turn", async () => {
    const { personas, scenarios } = await readEvalFiles([{ folder: builtIn, hasGoals: true }]);
    const goals = scenarios.get("default")?.goals ?? [];
    const plan = planSessions([...personas.values()], goals, 20, undefined);
    const pairs = plan.map(({ persona, goal }) => `${persona.name} ${goal.name}`);
    expect(new Set(pairs).size).toBe(8);
    for (const pair of pairs) expect([2, 3]).toContain(pairs.filter((other) => other === pair).length);
  });

  it("[EVAL-5] makes up the same customers for the same seed", async () => {
    const { personas, scenarios } = await readEvalFiles([{ folder: builtIn, hasGoals: true }]);
    const goals = scenarios.get("default")?.goals ?? [];
    const seeds = (seed: number | undefined) =>
      planSessions([...personas.values()], goals, 3, seed).map(({ profileSeed }) => profileSeed);
    expect(seeds(41)).toEqual([41, 42, 43]);
    expect(seeds(undefined)).toEqual([undefined, undefined, undefined]);
  });
});
