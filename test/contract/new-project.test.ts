/** What `npm run new` makes is a catalog without a mistake, and its dialogues go as written with its own stand-in. */
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { withCatalogTools } from "@voice/shared/catalog/known-tools";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { demoTools } from "@voice/shared/demo/demo-parts";
import { composeHttpTools } from "@voice/streaming-host/compose/tools";
import { afterAll, beforeAll, expect, it } from "vitest";
import { holdDialogue } from "../../local/dialogues/hold-dialogue.ts";
import { watchOutsideTools } from "../../local/dialogues/outside-tools.ts";
import { readDialogues } from "../../local/dialogues/read-dialogues.ts";
import { resultLines } from "../../local/dialogues/result-table.ts";
import { createTypedLines } from "../../local/dialogues/typed-line.ts";
import { makeProject } from "../../local/new-project/make-project.ts";
import { checkGoals } from "../../local/simulate/check-goals.ts";
import { readEvalFiles } from "../../local/simulate/eval-files.ts";
import { defaultPhonePort } from "../../local/phone/phone-controls.ts";
import { freePort } from "../support/free-port.ts";

const known = { tools: demoTools, mcpServers: [] };
let parent: string;
let folder: string;
let port: number;
let standIn: ChildProcess;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "new-project-"));
  folder = join(parent, "pizza-desk");
  await makeProject({ name: "pizza-desk", folder });
  port = await freePort();
  standIn = spawn(process.execPath, [join(folder, "service/orders.mjs"), String(port)], { stdio: "pipe" });
  if (standIn.stdout !== null) await once(standIn.stdout, "data");
});
afterAll(async () => {
  standIn.kill();
  await rm(parent, { recursive: true });
});

it("works as it is", async () => {
  // The stand-in's usual port may be taken on this machine.
  const tool = join(folder, "tools/order_status.yaml");
  await writeFile(tool, (await readFile(tool, "utf8")).replace("127.0.0.1:8098", `127.0.0.1:${port}`));
  const folders = [builtInCatalogDir(), folder];
  const catalog = await loadCatalog(folders, known, { language: catalogLanguage });
  const dialogues = await readDialogues(folders, catalog, withCatalogTools(known, catalog));
  const own = dialogues.filter(({ scenario }) => scenario === "pizza-desk");
  expect(own).toHaveLength(2);
  const http = await composeHttpTools(catalog, loadSettings({ TOOL_PRIVATE_HOSTS: `127.0.0.1:${port}` }), silentLogger);
  try {
    for (const dialogue of own) {
      const held = await holdDialogue(dialogue, createTypedLines(catalog, { outside: watchOutsideTools(http.tools) }));
      expect(held.passed ? [] : resultLines(held, 0)).toEqual([]);
    }
  } finally {
    await http.close();
  }
});

it("has goals for simulated callers that its catalog can meet", async () => {
  const catalog = await loadCatalog([builtInCatalogDir(), folder], known, { language: catalogLanguage });
  const { scenarios } = await readEvalFiles([{ folder: join(folder, "evals"), hasGoals: true }]);
  const goals = scenarios.get("pizza-desk");
  expect(goals?.goals).toHaveLength(2);
  if (goals !== undefined) checkGoals(goals, catalog, { known: withCatalogTools(known, catalog), customers: "none" });
});

it("has its stand-in where npm start has nothing, because both run beside each other", async () => {
  const tool = await readFile(
    new URL("../../local/new-project/template/tools/order_status.yaml", import.meta.url),
    "utf8",
  );
  const ports = [defaultPhonePort, 8080].map((taken) => `127.0.0.1:${taken}/`);
  expect(ports.filter((taken) => tool.includes(taken))).toEqual([]);
});

it("says what to do where the stand-in's port is taken", async () => {
  const second = spawn(process.execPath, [join(folder, "service/orders.mjs"), String(port)], { stdio: "pipe" });
  const [said] = await once(second.stderr, "data");
  expect(String(said)).toContain(`choose another port`);
  expect(String(said)).not.toContain("    at ");
});

it("leaves no name of the template behind, and replaces no folder", async () => {
  const readme = await readFile(join(folder, "README.md"), "utf8");
  expect(readme).toContain("# Pizza Desk");
  expect(readme).not.toMatch(/project-name|Project Title|path\/to/);
  await expect(makeProject({ name: "pizza-desk", folder })).rejects.toMatchObject({ code: "EEXIST" });
});

it.each([
  ["de", "de-DE", "Hier ist Baeckerei"],
  ["fr-CA", "fr-CA", "Ici Baeckerei"],
  ["es", "es-ES", "Le atiende Baeckerei"],
])("[LANG-4a] greets in %s where it is asked to, and is right as it is", async (language, locale, opening) => {
  const own = join(parent, language, "baeckerei");
  await makeProject({ name: "baeckerei", folder: own, language });
  const folders = [builtInCatalogDir(), own];
  const catalog = await loadCatalog(folders, known, { language: catalogLanguage });
  const agents = ["baeckerei", "baeckerei-orders"].map((name) => catalog.agents.get(name));
  expect(agents.map((agent) => agent?.speech.language)).toEqual([locale, locale]);
  for (const agent of agents) expect(agent?.greeting).not.toMatch(/This is|You are/);
  const texts = await readFile(join(own, "scenarios/baeckerei.dialogue.yaml"), "utf8");
  expect(texts).toContain(`greeting_has: ${opening}`);
});
