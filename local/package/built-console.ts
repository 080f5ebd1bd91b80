/** The console at `/` where the service is a package: it is built already. */
import { fileURLToPath } from "node:url";
import { readPageFiles } from "@voice/streaming-host/server/pages/page-files";
import { servePages } from "@voice/streaming-host/server/pages/serve-pages";
import type { PageHandler } from "@voice/streaming-host/server/pages/serve-pages";

export function serveConsole({ reaches = [] }: { readonly reaches?: readonly string[] } = {}): PageHandler {
  return servePages(readPageFiles(fileURLToPath(new URL("console/", import.meta.url))), { reaches });
}
