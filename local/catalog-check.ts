/** `npm run catalog:check [-- folder …]`: checks the built-in catalog and any folders, and draws the handoffs. */
import { resolve } from "node:path";
import { describeScenario, reachableAgents } from "@voice/shared/catalog/handoff-graph";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { CatalogError, problemLine } from "@voice/shared/catalog/problems";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { mcpServerList } from "@voice/shared/config/mcp-servers";
import { builtInTools } from "@voice/shared/tools/built-in-tools";

const own = process.argv.slice(2);
if (own.length === 0 && process.env["CATALOG_DIR"] !== undefined) own.push(process.env["CATALOG_DIR"]);
const folders = [builtInCatalogDir(), ...own.map((folder) => resolve(folder))];

try {
  const catalog = await loadCatalog(
    folders,
    { tools: builtInTools, mcpServers: mcpServerNames() },
    { language: catalogLanguage },
  );
  for (const scenario of catalog.scenarios.values()) console.log(`${describeScenario(scenario).join("\n")}\n`);
  const lost = [...catalog.scenarios.values()].flatMap((scenario) => {
    const reached = reachableAgents(scenario);
    return scenario.agents
      .filter((agent) => !reached.has(agent))
      .map((agent) => `scenarios/${scenario.name}.yaml: ${agent}`);
  });
  for (const line of lost) console.error(`${line} cannot be reached from the start agent`);
  console.log(`${catalog.agents.size} agents, ${catalog.scenarios.size} scenarios, ${lost.length} problems`);
  process.exitCode = lost.length === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof CatalogError)) throw error;
  for (const problem of error.problems) console.error(problemLine(problem));
  console.error(`${error.problems.length} problems`);
  process.exitCode = 1;
}

/** Agents may list tools of servers that only run elsewhere. */
function mcpServerNames(): readonly string[] {
  return mcpServerList.schema.parse(process.env["MCP_SERVERS"] ?? "").map((server) => server.name);
}
