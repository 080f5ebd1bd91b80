/** `npm run dialogues`: holds the dialogues of the catalog. Exit code 0 only when all of them go as written. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { CatalogError, problemLine } from "@voice/shared/catalog/problems";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { mcpServerList } from "@voice/shared/config/mcp-servers";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import type { Dialogue } from "./dialogue.ts";
import type { OpenDialogueLine } from "./dialogue-line.ts";
import { holdDialogue } from "./hold-dialogue.ts";
import { readDialogues } from "./read-dialogues.ts";
import { resultLines, tableHead } from "./result-table.ts";
import type { SpokenLines } from "./spoken-lines.ts";
import { createTypedLines } from "./typed-line.ts";

const help = `Holds the dialogues that stand beside the scenarios (*.dialogue.yaml) and compares the answers.

  npm run dialogues                       all of them, typed, in seconds
  npm run dialogues -- lost insurance     those with a word in their name, or of a scenario
  npm run dialogues -- --audio lost       spoken and recognised, in real time

CATALOG_DIR adds a folder of your own.`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { audio: { type: "boolean", default: false }, help: { type: "boolean", short: "h", default: false } },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const own = process.env["CATALOG_DIR"];
  const folders = [builtInCatalogDir(), ...(own === undefined ? [] : [resolve(own)])];
  const mcpServers = mcpServerList.schema.parse(process.env["MCP_SERVERS"] ?? "").map((server) => server.name);
  const known = { tools: builtInTools, mcpServers };
  const catalog = await loadCatalog(folders, known);
  const dialogues = await readDialogues(folders, catalog, known);
  const wanted = dialogues.filter((dialogue) => isWanted(dialogue, positionals));
  if (wanted.length === 0) {
    console.error(`no dialogue fits ${positionals.join(" ")}`);
    return 1;
  }
  const spoken = values.audio ? await startSpeaking(catalog) : undefined;
  try {
    return await hold(wanted, spoken?.open ?? createTypedLines(catalog));
  } finally {
    await spoken?.close();
  }
}

/** Speech engines and vendors take seconds to load; typing needs none of them. */
async function startSpeaking(catalog: Catalog): Promise<SpokenLines> {
  const { createSpokenLines } = await import("./spoken-lines.ts");
  return createSpokenLines(catalog);
}

async function hold(dialogues: readonly Dialogue[], open: OpenDialogueLine): Promise<number> {
  const startedMs = performance.now();
  const nameWidth = Math.max(...dialogues.map(({ name }) => name.length));
  console.log(tableHead(nameWidth));
  let failed = 0;
  for (const dialogue of dialogues) {
    const held = await holdDialogue(dialogue, open);
    if (!held.passed) failed++;
    console.log(resultLines(held, nameWidth).join("\n"));
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`\n${dialogues.length - failed} of ${dialogues.length} dialogues as written, in ${seconds} s`);
  return failed === 0 ? 0 : 1;
}

function isWanted({ name, scenario }: Dialogue, wishes: readonly string[]): boolean {
  const fits = (wish: string): boolean =>
    scenario === wish.toLowerCase() || name.toLowerCase().includes(wish.toLowerCase());
  return wishes.length === 0 || wishes.some(fits);
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof CatalogError) for (const problem of error.problems) console.error(problemLine(problem));
  else if (error instanceof TypeError) console.error(`${error.message}\n\n${help}`);
  else throw error;
  process.exitCode = 2;
}
