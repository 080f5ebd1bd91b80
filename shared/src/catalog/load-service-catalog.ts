/** The catalog that a process serves: the built-in folder, overridden by the user's own. */
import { partsOf } from "../config/parts.ts";
import type { Settings } from "../config/settings.ts";
import { builtInTools } from "../tools/built-in-tools.ts";
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

export interface ServiceCatalogOptions {
  readonly language: CatalogLanguage;
  /** Absent: the built-in tools, those of TOOLS_DIR and of tool servers. */
  readonly known?: KnownTools;
}

export async function loadServiceCatalog(settings: Settings, options: ServiceCatalogOptions): Promise<Catalog> {
  const { language, known = await ownToolsOf(settings) } = options;
  const { catalogDir } = settings;
  const { builtInDir, isBuiltInChecked } = builtInCatalog();
  const folders = [builtInDir, ...(catalogDir === undefined ? [] : [catalogDir])];
  return loadCatalog(folders, known, {
    agentDefaults: agentDefaults(settings, partsOf(settings)),
    language,
    // With a folder of the user's own, the whole catalog is checked again.
    isChecked: isBuiltInChecked && catalogDir === undefined,
  });
}

/** For who only looks at the catalog: nothing is run here. */
async function ownToolsOf(settings: Settings): Promise<KnownTools> {
  const { tools } = await loadTools(settings, { clock: systemClock, logger: silentLogger });
  return knownToolsOf(settings, tools);
}
