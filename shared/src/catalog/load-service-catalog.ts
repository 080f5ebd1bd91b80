/**
 * The catalog that a process serves: what all agents share, the demonstration where it is on, and the user's own folder. A later
 * folder overrides an earlier one.
 */
import { ConfigurationError } from "../config/configuration-error.ts";
import { partsOf } from "../config/parts.ts";
import type { Settings } from "../config/settings.ts";
import { builtInTools } from "../tools/built-in-tools.ts";
import { demoCatalogDir, hasDemo } from "../demo/demo.ts";
import { agentDefaults } from "./agent-defaults.ts";
import { systemClock } from "../platform/clock.ts";
import { silentLogger } from "../platform/logger.ts";
import { loadTools } from "../tools/load-tools.ts";
import type { Catalog } from "./catalog.ts";
import type { CatalogLanguage } from "./catalog-language.ts";
import type { KnownTools } from "./known-tools.ts";
import { loadCatalog } from "./load-catalog.ts";
import { builtInCatalog } from "./locate-built-in-catalog.ts";

export function knownToolsOf({ mcpServers }: Pick<Settings, "mcpServers">, tools = builtInTools): KnownTools {
  return { tools, mcpServers: mcpServers.map(({ name }) => name) };
}

type FolderSettings = Pick<Settings, "catalogDir" | "demoEnabled" | "environment">;

/** Throws a `ConfigurationError` if the settings leave no agents. */
export function catalogFolders(settings: FolderSettings): string[] {
  const own = settings.catalogDir === undefined ? [] : [settings.catalogDir];
  const demo = hasDemo(settings) ? [demoCatalogDir] : [];
  if (own.length + demo.length === 0)
    throw new ConfigurationError([
      "CATALOG_DIR: there are no agents; name the folder of yours (`npm run new` makes one), or set DEMO_ENABLED=true for those of the demonstration",
    ]);
  return [builtInCatalog().builtInDir, ...demo, ...own];
}

/**
 * `language`: without it, rules are ignored. `known`: without it, the built-in tools, those of TOOLS_DIR and of tool servers.
 */
export async function loadServiceCatalog(
  settings: Settings,
  language?: CatalogLanguage,
  known?: KnownTools,
): Promise<Catalog> {
  return loadCatalog(catalogFolders(settings), known ?? (await ownToolsOf(settings)), {
    agentDefaults: agentDefaults(settings, partsOf(settings)),
    language,
    // With a folder of the user's own, the whole catalog is checked again.
    isChecked: builtInCatalog().isBuiltInChecked && settings.catalogDir === undefined,
  });
}

/** For callers that only look at the catalog: no conversation runs here. */
async function ownToolsOf(settings: Settings): Promise<KnownTools> {
  const { tools } = await loadTools(settings, { clock: systemClock, logger: silentLogger });
  return knownToolsOf(settings, tools);
}
