/** The console that stands built beside the packaged host. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pageOrigins } from "@voice/shared/auth/page-origins";
import type { Settings } from "@voice/shared/config/settings";
import { readPageFiles } from "./page-files.ts";
import { servePages, type PageHandler } from "./serve-pages.ts";

/** Serves nothing where there is none, as in a checkout: there `npm start` builds and serves it. */
export async function openPackagedConsole(settings: Settings): Promise<PageHandler | undefined> {
  const folder = fileURLToPath(new URL("console/", import.meta.url));
  if (!settings.consoleEnabled || !existsSync(folder)) return undefined;
  const files = await readPageFiles(folder);
  return servePages(Promise.resolve(files), { reaches: pageOrigins(settings) });
}
