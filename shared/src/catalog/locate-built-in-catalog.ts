import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { builtInCatalogDir } from "./read-catalog.ts";

export interface BuiltInCatalog {
  readonly builtInDir: string;
  /** Packages are built only from a catalog without mistakes. */
  readonly isBuiltInChecked: boolean;
}

/** In a bundle the built-in catalog is beside the entry file; in the source it is in the catalog's package. */
export function builtInCatalog(): BuiltInCatalog {
  const beside = fileURLToPath(new URL("catalog/", import.meta.url));
  const isBundled = existsSync(beside);
  return { builtInDir: isBundled ? beside : builtInCatalogDir(), isBuiltInChecked: isBundled };
}
