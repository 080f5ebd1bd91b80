/** docs/agents.md is true: its files make a catalog whose dialogues go as written, and its requests are accepted. */
import { atOnce } from "@voice/shared/platform/steps";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { withCatalogTools } from "@voice/shared/catalog/known-tools";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { checkSessionAgent, checkSessionScenario } from "@voice/shared/catalog/session-documents";
import { agentCreateRequest } from "@voice/shared/contracts/http/agents";
import { scenarioCreateRequest } from "@voice/shared/contracts/http/scenarios";
import { afterAll, beforeAll, expect, it } from "vitest";
import { holdDialogue } from "../../local/dialogues/hold-dialogue.ts";
import { readDialogues } from "../../local/dialogues/read-dialogues.ts";
import { resultLines } from "../../local/dialogues/result-table.ts";
import { createTypedLines } from "../../local/dialogues/typed-line.ts";

const known = { tools: demoTools, mcpServers: [] };
const guide = await readFile(new URL("../../docs/agents.md", import.meta.url), "utf8");
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "agents-guide-"));
});
afterAll(() => rm(folder, { recursive: true }));

it("its folder is a catalog, and its dialogues go as written", async () => {
  const files = [...guide.matchAll(/`my-catalog\/(\S+\.(?:yaml|md))`.*?```\w+\n(.*?)```/gs)];
  expect(files.map(([, path]) => path)).toHaveLength(5);
  for (const [, path = "", text = ""] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const folders = [...demoCatalogDirs, folder];
  const catalog = await loadCatalog(folders, known, { language: catalogLanguage });
  const dialogues = (await readDialogues(folders, catalog, withCatalogTools(known, catalog))).filter(
    ({ scenario }) => scenario === "reception",
  );
  expect(dialogues).toHaveLength(2);
  for (const dialogue of dialogues) {
    const held = await holdDialogue(dialogue, createTypedLines(catalog));
    expect(held.passed ? [] : resultLines(held, 0)).toEqual([]);
  }
});

it("its requests make an agent and a scenario", async () => {
  const catalog = await loadCatalog(demoCatalogDirs, known, { language: catalogLanguage });
  const bodies = [...guide.matchAll(/-d '(\{.*?\})'\n/gs)].map(([, body = ""]): unknown => JSON.parse(body));
  const agent = atOnce(checkSessionAgent(agentCreateRequest.parse(bodies[0]), catalog, known));
  expect(agent).toMatchObject({ ok: true });
  const scenario = scenarioCreateRequest.parse(bodies[1]);
  expect(checkSessionScenario(scenario, catalog, agent.ok ? [agent.value] : [])).toMatchObject({ ok: true });
});
