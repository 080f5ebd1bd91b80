import type { Catalog } from "./catalog.ts";
import type { KnownTools } from "./known-names.ts";
import { parseCatalog } from "./parse-catalog.ts";
import { readCatalogFiles } from "./read-catalog.ts";

/** Reads the folders in order; an agent or scenario of a later one replaces its namesake. Throws a `CatalogError`. */
export async function loadCatalog(dirs: readonly string[], tools: KnownTools): Promise<Catalog> {
  return parseCatalog(await Promise.all(dirs.map(readCatalogFiles)), tools);
}
