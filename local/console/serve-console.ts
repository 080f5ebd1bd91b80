/** The console at `/` of the local start. */
import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";
import { readPageFiles } from "@voice/streaming-host/server/pages/page-files";
import { servePages } from "@voice/streaming-host/server/pages/serve-pages";
import type { PageHandler } from "@voice/streaming-host/server/pages/serve-pages";

import { buildConsole } from "./build-console.ts";
import type { ConsoleBuild } from "./build-console.ts";

export interface ConsoleOptions {
  readonly logger?: Logger;
  readonly build?: () => Promise<ConsoleBuild>;
  /** Origins that the page may reach beside its own: where people sign in. */
  readonly reaches?: readonly string[];
  /** False where only the element is served. */
  readonly hasConsole?: boolean;
}

/**
 * Returns at once; a build that is needed goes on in another process, and requests that come before it is done wait for
 * it. A build that failed shows as a page that says so, and never keeps the service from running.
 */
export function serveConsole(options: ConsoleOptions = {}): PageHandler {
  const { logger = silentLogger, build = buildConsole, reaches = [], hasConsole = true } = options;
  const files = build().then(({ folder, isFresh }) => {
    if (isFresh) logger.info({ folder }, "built the console");
    return readPageFiles(folder);
  });
  files.catch((error: unknown) => logger.error({ error }, "the console could not be built"));
  return servePages(files, reaches, hasConsole);
}
