import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";

interface BuiltInCatalog {
  readonly builtInDir: string;
  /** A bundle is only made of a catalog without mistakes. */
  readonly isBuiltInChecked: boolean;
}

/** The bundle carries the built-in catalog beside itself; the source finds it in the shared package. */
export function builtInCatalog(): BuiltInCatalog {
  const beside = fileURLToPath(new URL("catalog/", import.meta.url));
  const isBundled = existsSync(beside);
  return { builtInDir: isBundled ? beside : builtInCatalogDir(), isBuiltInChecked: isBundled };
}
