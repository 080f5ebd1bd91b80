/** The catalog that a process serves: the built-in folder, then the user's own, whose agents and scenarios replace namesakes. */
import type { Settings } from "../config/settings.ts";
import { builtInTools } from "../tools/built-in-tools.ts";
import { agentDefaults } from "./agent-defaults.ts";
import type { Catalog } from "./catalog.ts";
import type { CatalogLanguage } from "./catalog-language.ts";
import type { KnownTools } from "./known-tools.ts";
import { loadCatalog } from "./load-catalog.ts";
import { builtInCatalogDir } from "./read-catalog.ts";

export function knownToolsOf({ mcpServers }: Pick<Settings, "mcpServers">): KnownTools {
  return { tools: builtInTools, mcpServers: mcpServers.map(({ name }) => name) };
}

export interface ServiceCatalogOptions {
  readonly language: CatalogLanguage;
  /** A bundle says itself where the built-in folder went. */
  readonly builtInDir?: string;
  readonly known?: KnownTools;
}

export function loadServiceCatalog(settings: Settings, options: ServiceCatalogOptions): Promise<Catalog> {
  const { language, builtInDir = builtInCatalogDir(), known = knownToolsOf(settings) } = options;
  const { catalogDir } = settings;
  const folders = [builtInDir, ...(catalogDir === undefined ? [] : [catalogDir])];
  return loadCatalog(folders, known, { agentDefaults: agentDefaults(settings), language });
}
