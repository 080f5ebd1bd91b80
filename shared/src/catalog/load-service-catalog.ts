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
  /** The built-in folder was checked when it was bundled; with another folder over it, everything is looked up again. */
  readonly isBuiltInChecked?: boolean;
}

export function loadServiceCatalog(settings: Settings, options: ServiceCatalogOptions): Promise<Catalog> {
  const {
    language,
    builtInDir = builtInCatalogDir(),
    known = knownToolsOf(settings),
    isBuiltInChecked = false,
  } = options;
  const { catalogDir } = settings;
  const folders = [builtInDir, ...(catalogDir === undefined ? [] : [catalogDir])];
  return loadCatalog(folders, known, {
    agentDefaults: agentDefaults(settings),
    language,
    isChecked: isBuiltInChecked && catalogDir === undefined,
  });
}
