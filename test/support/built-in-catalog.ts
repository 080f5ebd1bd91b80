import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { agentDefaults } from "@voice/shared/catalog/agent-defaults";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { loadServiceCatalog } from "@voice/shared/catalog/load-service-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { partsOf } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";

/** By what it depends on; those of settings that name a folder of their own are read anew. */
const kept = new Map<string, Promise<Catalog>>();

/** What a service with these settings serves. */
export function catalogOf(settings: Settings): Promise<Catalog> {
  const read = (): Promise<Catalog> => loadServiceCatalog(settings, catalogLanguage);
  if (settings.catalogDir !== undefined) return read();
  const key = JSON.stringify([agentDefaults(settings, partsOf(settings)), settings.mcpServers.map(({ name }) => name)]);
  const found = kept.get(key) ?? read();
  kept.set(key, found);
  return found;
}

let catalog: Promise<Catalog> | undefined;

/** The catalog that ships with the product, read once a worker. */
export function builtInCatalog(): Promise<Catalog> {
  catalog ??= loadCatalog(demoCatalogDirs, { tools: demoTools, mcpServers: [] }, { language: catalogLanguage });
  return catalog;
}
