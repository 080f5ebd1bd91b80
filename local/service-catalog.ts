/** The catalog of a process that holds everything: the built-in folder, then the user's own. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import type { Settings } from "@voice/shared/config/settings";
import { builtInTools } from "@voice/shared/tools/built-in-tools";

export function loadServiceCatalog({ catalogDir, mcpServers }: Settings): Promise<Catalog> {
  const folders = [builtInCatalogDir(), ...(catalogDir === undefined ? [] : [catalogDir])];
  return loadCatalog(folders, { tools: builtInTools, mcpServers: mcpServers.map(({ name }) => name) });
}
