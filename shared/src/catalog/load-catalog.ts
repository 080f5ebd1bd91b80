import { agentDefaults, unsetVoice, unsetModels } from "./agent-defaults.ts";
import type { Catalog } from "./catalog.ts";
import type { KnownTools } from "./known-tools.ts";
import { parseCatalog, type CatalogOptions } from "./parse-catalog.ts";
import { readKnowledge } from "../knowledge/read-knowledge.ts";
import { readCatalogFiles } from "./read-catalog.ts";

/**
 * Reads the folders in order; agents and scenarios of a later one replace those of the same name. Throws a
 * `CatalogError` that names every mistake.
 */
export async function loadCatalog(
  dirs: readonly string[],
  tools: KnownTools,
  options: CatalogOptions = {},
): Promise<Catalog> {
  const [knowledge, ...folders] = await Promise.all([readKnowledge(dirs), ...dirs.map(readCatalogFiles)]);
  return parseCatalog(folders, tools, {
    agentDefaults: agentDefaults(unsetVoice, unsetModels),
    knowledge,
    ...options,
  });
}
