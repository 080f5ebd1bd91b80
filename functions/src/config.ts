/** The only place in the functions app that reads the environment. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { namesOf } from "@voice/shared/config/aliases";
import { loadSettings, type Environment } from "@voice/shared/config/load";
import type { Settings } from "@voice/shared/config/settings";

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

/**
 * Where the configuration store is and who we are to it. The rest of the settings may only be in the store, so the
 * environment alone need not make a service yet.
 */
export function readStoreSettings(environment: Environment): Settings {
  const names = storeSettings.flatMap((name) => namesOf(name));
  return loadSettings(Object.fromEntries(names.map((name) => [name, environment[name]])));
}

const storeSettings = [
  "CLOUD_APPCONFIG_ENDPOINT",
  "CLOUD_APPCONFIG_LABEL",
  "CLOUD_TENANT_ID",
  "CLOUD_CLIENT_ID",
  "CLOUD_CLIENT_SECRET",
  "LOG_LEVEL",
];
