import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";

/** The bundle carries the built-in catalog beside itself; the source finds it in the shared package. */
export function catalogDir(): string {
  const beside = fileURLToPath(new URL("catalog/", import.meta.url));
  return existsSync(beside) ? beside : builtInCatalogDir();
}
