/** The catalog of a process that holds everything: the built-in folder, then the user's own. */
import { agentDefaults } from "@voice/shared/catalog/agent-defaults";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import type { Settings } from "@voice/shared/config/settings";
import { builtInTools } from "@voice/shared/tools/built-in-tools";

export function loadServiceCatalog(settings: Settings): Promise<Catalog> {
  const { catalogDir, mcpServers } = settings;
  const folders = [builtInCatalogDir(), ...(catalogDir === undefined ? [] : [catalogDir])];
  const known = { tools: builtInTools, mcpServers: mcpServers.map(({ name }) => name) };
  return loadCatalog(folders, known, agentDefaults(settings));
}
