import { agentDefaults, unsetDefaults } from "./agent-defaults.ts";
import type { Catalog } from "./catalog.ts";
import type { PlainObject } from "./deep-merge.ts";
import type { KnownTools } from "./known-names.ts";
import { parseCatalog } from "./parse-catalog.ts";
import { readCatalogFiles } from "./read-catalog.ts";

/**
 * Reads the folders in order; an agent or scenario of a later one replaces its namesake. `defaults` is what agents are
 * without any file. Throws a `CatalogError`.
 */
export async function loadCatalog(
  dirs: readonly string[],
  tools: KnownTools,
  defaults: PlainObject = agentDefaults(unsetDefaults),
): Promise<Catalog> {
  return parseCatalog(await Promise.all(dirs.map(readCatalogFiles)), tools, defaults);
}
