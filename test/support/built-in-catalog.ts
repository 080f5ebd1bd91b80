import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { builtInTools } from "@voice/shared/tools/built-in-tools";

let catalog: Promise<Catalog> | undefined;

/** The catalog that ships with the product, read once a worker. */
export function builtInCatalog(): Promise<Catalog> {
  catalog ??= loadCatalog(
    [builtInCatalogDir()],
    { tools: builtInTools, mcpServers: [] },
    { language: catalogLanguage },
  );
  return catalog;
}
