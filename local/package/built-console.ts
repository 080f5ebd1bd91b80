/** The console at `/` where the service is a package: it is built already. */
import { fileURLToPath } from "node:url";
import { readPageFiles } from "@voice/streaming-host/server/pages/page-files";
import { servePages } from "@voice/streaming-host/server/pages/serve-pages";
import type { PageHandler } from "@voice/streaming-host/server/pages/serve-pages";
import type { serveConsole as buildsAndServes } from "../console/serve-console.ts";

export function serveConsole(options: Parameters<typeof buildsAndServes>[0] = {}): PageHandler {
  const { reaches = [], hasConsole = true } = options;
  const files = readPageFiles(fileURLToPath(new URL("console/", import.meta.url)));
  return servePages(files, reaches, hasConsole);
}
