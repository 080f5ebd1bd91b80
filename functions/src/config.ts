/** The only place in the functions app that reads the environment. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import type { Environment } from "@voice/shared/config/load";

/**
 * The bundle carries the catalog beside itself; the source finds it in the shared package. A folder of one's own comes
 * on top: its agents and scenarios replace their namesakes.
 */
export function catalogDirs(own: string | undefined): string[] {
  const beside = fileURLToPath(new URL("catalog/", import.meta.url));
  return [existsSync(beside) ? beside : builtInCatalogDir(), ...(own === undefined ? [] : [own])];
}

export function readEnvironment(): Environment {
  return process.env;
}
