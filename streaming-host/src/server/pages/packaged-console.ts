/** The built console that is packaged with the host. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pageOrigins } from "@voice/shared/auth/page-origins";
import type { Settings } from "@voice/shared/config/settings";
import { readPageFiles } from "./page-files.ts";
import { servePages, type PageHandler } from "./serve-pages.ts";

/** Serves nothing if there is none, as in a checkout, where `npm start` builds and serves it. The element needs no console. */
export async function openPackagedConsole(settings: Settings): Promise<PageHandler | undefined> {
  const folder = fileURLToPath(new URL("console/", import.meta.url));
  if (!existsSync(folder)) return undefined;
  const files = await readPageFiles(folder);
  return servePages(Promise.resolve(files), pageOrigins(settings), settings.consoleEnabled);
}
