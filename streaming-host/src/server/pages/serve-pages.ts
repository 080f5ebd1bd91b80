/** Serves the console at `/` and the element for pages of any origin, and leaves all other requests to the caller. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { encodings } from "./page-files.ts";
import type { PageFile, PageFiles } from "./page-files.ts";

/** True if the request was for a page; the answer is then sent asynchronously. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

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
    "strict-transport-security": "max-age=31536000",
    "x-content-type-options": "nosniff",
  };
}

/** `<voice-agent>` and its audio worklets, which pages of any origin load. */
const elementPaths = /^\/voice-agent(?:-worklets)?\.js$/;

/**
 * A script may be read by everybody; what it then does is up to the sockets' own rules (CLIENT-1). Its name stays when its content
 * changes, so a browser asks again after five minutes.
 */
const elementHeaders: Headers = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "cache-control": "public, max-age=300, stale-while-revalidate=86400",
  "strict-transport-security": "max-age=31536000",
  "x-content-type-options": "nosniff",
};

const ownPaths = /^\/(?:index\.html|favicon\.svg|assets\/[\w.-]+)?$/;

/**
 * Requests that arrive before the files are loaded wait for them. If loading fails, a page says so. `reaches`: origins that the page may
 * access besides its own: where people sign in. `hasConsole`: false where only the element is served.
 */
export function servePages(files: Promise<PageFiles>, reaches: readonly string[], hasConsole = true): PageHandler {
  const ofConsole = securityHeaders(reaches);
  return (request, response) => {
    const path = request.url?.split("?", 1)[0] ?? "/";
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const isElement = elementPaths.test(path);
    if (!isElement && !(hasConsole && ownPaths.test(path))) return false;
    const headers = isElement ? elementHeaders : ofConsole;
    files.then(
      (read) => answer({ request, response, headers }, read.get(path === "/" ? "/index.html" : path)),
      (error: unknown) => answerFailure({ request, response, headers }, error),
    );
    return true;
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: Headers;
}

function answer({ request, response, headers }: Exchange, file: PageFile | undefined): void {
  if (file === undefined) {
    response.writeHead(404, { ...headers, "content-type": "text/plain; charset=utf-8" }).end("Not found\n");
    return;
  }
  const always = {
    "cache-control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    ...headers,
    etag: file.etag,
    vary: "accept-encoding",
  };
  if (request.headers["if-none-match"] === file.etag) {
    response.writeHead(304, always).end();
    return;
  }
  const { body, encoding } = chooseBody(file, request.headers["accept-encoding"] ?? "");
  response.writeHead(200, {
    ...always,
    ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    "content-type": file.contentType,
    "content-length": body.length,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function chooseBody({ body, compressed }: PageFile, accepted: string): { body: Buffer; encoding?: string } {
  for (const { name } of encodings) {
    const encoded = compressed.get(name);
    if (encoded !== undefined && new RegExp(`\\b${name}\\b(?!;q=0(?:[.]0*)?(?:,|$))`).test(accepted))
      return { body: encoded, encoding: name };
  }
  return { body };
}

function answerFailure({ response, headers }: Exchange, error: unknown): void {
  const reason = error instanceof Error ? error.message : "unknown reason";
  response.writeHead(500, { ...headers, "content-type": "text/plain; charset=utf-8" });
  response.end(`The console is not available: ${reason}\n\nThe service itself runs; its API is documented at /docs.\n`);
}
