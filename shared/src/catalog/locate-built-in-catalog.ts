import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { builtInCatalogDir } from "./read-catalog.ts";

export interface BuiltInCatalog {
  readonly builtInDir: string;
  /** A package is only made of a catalog without mistakes. */
  readonly isBuiltInChecked: boolean;
}

/** A bundle carries the built-in catalog beside itself; the source has it where the catalog's package keeps it. */
export function builtInCatalog(): BuiltInCatalog {
  const beside = fileURLToPath(new URL("catalog/", import.meta.url));
  const isBundled = existsSync(beside);
  return { builtInDir: isBundled ? beside : builtInCatalogDir(), isBuiltInChecked: isBundled };
}
