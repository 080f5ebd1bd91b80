/** The console at `/`, for the local start: answers what is its own and leaves everything else to the caller. */
import type { IncomingMessage, ServerResponse } from "node:http";

import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";

import { buildConsole } from "./build-console.ts";
import type { ConsoleBuild } from "./build-console.ts";
import { readConsoleFiles } from "./console-files.ts";
import type { ConsoleFile, ConsoleFiles } from "./console-files.ts";

/** True when the request was the console's; the answer then comes by itself. */
export type ConsoleHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface ConsoleOptions {
  readonly logger?: Logger;
  readonly build?: () => Promise<ConsoleBuild>;
  /** Origins that the page may reach beside its own: where people sign in, and where the sockets are. */
  readonly reaches?: readonly string[];
}

type Headers = Readonly<Record<string, string>>;

/** Everything from this origin, no inline code. `'self'` covers the sockets of this origin, `blob:` a recording that was fetched with a token. */
function securityHeaders(reaches: readonly string[]): Headers {
  const policy = [
    "default-src 'self'",
    `connect-src ${["'self'", ...reaches].join(" ")}`,
    "img-src 'self' data:",
    "media-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "permissions-policy": "microphone=(self), camera=(), geolocation=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}

const ownPaths = /^\/(?:index\.html|favicon\.svg|assets\/[\w.-]+)?$/;

/**
 * Resolves at once; a build that is needed goes on in another process, and requests that come before it is done wait for
 * it. A build that failed shows as a page that says so, and never keeps the service from running.
 */
export async function serveConsole(options: ConsoleOptions = {}): Promise<ConsoleHandler> {
  const { logger = silentLogger, build = buildConsole, reaches = [] } = options;
  const headers = securityHeaders(reaches);
  const files = build().then(({ folder, isFresh }) => {
    if (isFresh) logger.info({ folder }, "built the console");
    return readConsoleFiles(folder);
  });
  files.catch((error: unknown) => logger.error({ error }, "the console could not be built"));

  return (request, response) => {
    const path = new URL(request.url ?? "/", "http://console").pathname;
    if ((request.method !== "GET" && request.method !== "HEAD") || !ownPaths.test(path)) return false;
    files.then(
      (built) => answer({ request, response, headers }, find(built, path)),
      (error: unknown) => answerFailure({ request, response, headers }, error),
    );
    return true;
  };
}

function find(files: ConsoleFiles, path: string): ConsoleFile | undefined {
  return files.get(path === "/" ? "/index.html" : path);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: Headers;
}

function answer({ request, response, headers }: Exchange, file: ConsoleFile | undefined): void {
  if (file === undefined) {
    response.writeHead(404, { ...headers, "content-type": "text/plain; charset=utf-8" }).end("Not found\n");
    return;
  }
  const always = {
    ...headers,
    etag: file.etag,
    "cache-control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
  };
  if (request.headers["if-none-match"] === file.etag) {
    response.writeHead(304, always).end();
    return;
  }
  const isGzip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  const body = isGzip ? file.gzipped : file.body;
  const encoding = isGzip ? { "content-encoding": "gzip" } : {};
  response.writeHead(200, {
    ...always,
    ...encoding,
    "content-type": file.contentType,
    "content-length": body.length,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function answerFailure({ response, headers }: Exchange, error: unknown): void {
  const reason = error instanceof Error ? error.message : "unknown reason";
  response.writeHead(500, { ...headers, "content-type": "text/plain; charset=utf-8" });
  response.end(`The console is not available: ${reason}\n\nThe service itself runs; its API is documented at /docs.\n`);
}
