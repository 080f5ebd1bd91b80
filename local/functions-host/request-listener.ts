/**
 * node:http in front of a functions app, with the Functions host's behaviour, because code that works here must work
 * there: repeated query keys arrive comma-joined, a body without a Content-Length arrives empty, a handler that throws
 * is a 500 without a body, and one that returns nothing is a 204. A body that the handler streams is sent as it is
 * produced.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Logger } from "@voice/shared/platform/logger";
import { silentLogger } from "@voice/shared/platform/logger";
import { problemReply } from "../../functions/src/http/problems.ts";
import type { FunctionsApp, InvocationResult } from "./functions-app.ts";
import type { RpcCookie, RpcHttpRequest, RpcHttpResponse } from "./invocation-model.ts";

export interface ListenerOptions {
  readonly logger?: Logger;
  /** Returns why requests for this `Host` are refused, or undefined if they are answered. Absent, all are answered. */
  readonly problemOfHost?: (host: string | undefined) => string | undefined;
}

/** Resolves to false, with nothing written, when no function matches; the host then answers 404 without a body. */
export type FunctionsRequestListener = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * No function accepts more. The host in the cloud reads up to 100 MB before it invokes a function. A body with a greater declared length is
 * not read: the function sees that length and no bytes, authenticates the caller as always, and refuses the request.
 */
const bodyLimitBytes = 1_048_576;
/** The limit for all bodies held at the same time; a request that would exceed it is told to retry later. */
const bodyMemoryBytes = 32 * 1_048_576;

export function createFunctionsRequestListener(
  app: FunctionsApp,
  options: ListenerOptions = {},
): FunctionsRequestListener {
  const { logger = silentLogger, problemOfHost } = options;
  let bodyBytes = 0;
  return async (request, response) => {
    const method = request.method ?? "GET";
    const target = originForm(request.url ?? "/");
    const queryStart = target.indexOf("?");
    const path = queryStart === -1 ? target : target.slice(0, queryStart);
    const match = app.table.match(method, path);
    if (match === undefined) return false;

    const problem = problemOfHost?.(request.headers.host);
    if (problem !== undefined) return refuse(response, path, problem);
    const url = absoluteUrl(request, target);
    if (url === undefined) return finish(response, 400);
    const declared = declaredLength(request);
    const reserved = declared > bodyLimitBytes ? 0 : declared;
    if (bodyBytes + reserved > bodyMemoryBytes)
      return finish(response, 503, { connection: "close", "retry-after": "1" });
    if (reserved === 0) request.resume(); // discarded as it arrives, or it would be parsed as the next request
    bodyBytes += reserved;
    try {
      const body = reserved === 0 ? undefined : await readBody(request);
      return await answer({ request, response, app, match, url, body, logger });
    } finally {
      bodyBytes -= reserved;
    }
  };
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly app: FunctionsApp;
  readonly match: NonNullable<ReturnType<FunctionsApp["table"]["match"]>>;
  readonly url: string;
  readonly body: Uint8Array | undefined;
  readonly logger: Logger;
}

async function answer({ request, response, app, match, url, body, logger }: Asked): Promise<boolean> {
  const method = request.method ?? "GET";
  const target = originForm(request.url ?? "/");
  const queryStart = target.indexOf("?");
  const headers = joinHeaders(request);
  const rpcRequest: RpcHttpRequest = {
    method,
    url,
    headers,
    query: queryStart === -1 ? {} : joinQuery(target.slice(queryStart + 1)),
    params: match.params,
    ...(body === undefined ? {} : { body: { bytes: body } }),
  };
  const result = await app.invoke(match.route, rpcRequest);
  if (result.type === "failed") {
    logger.error({ error: result.error, functionName: match.route.functionName }, "function failed");
  }
  return write(response, method, result);
}

async function write(response: ServerResponse, method: string, result: InvocationResult): Promise<boolean> {
  if (response.destroyed) return true;
  if (result.type === "failed") return finish(response, 500);
  if (result.response === undefined) return finish(response, 204);
  const { statusCode, headers = {}, cookies = [] } = result.response;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (cookies.length > 0) response.setHeader("set-cookie", cookies.map(serialiseCookie));
  response.statusCode = Number(statusCode);
  if (result.stream !== undefined && method !== "HEAD") {
    // Reads from the stream at the client's pace, and stops once the client is gone.
    await pipeline(Readable.from(result.stream, { objectMode: false }), response);
    return true;
  }
  const bytes = bodyOf(result.response);
  // A response to HEAD may declare the length of the body that it does not send.
  const isStated = method === "HEAD" && response.hasHeader("content-length");
  if (response.statusCode !== 204 && response.statusCode !== 304 && !isStated)
    response.setHeader("content-length", bytes.length);
  response.end(method === "HEAD" ? undefined : bytes);
  return true;
}

function finish(response: ServerResponse, status: number, headers: Record<string, string> = {}): boolean {
  response.writeHead(status, status === 204 ? headers : { "content-length": "0", ...headers }).end();
  return true;
}

function refuse(response: ServerResponse, path: string, detail: string): boolean {
  const { body = {}, status } = problemReply({ type: "forbidden", detail, instance: path, nowMs: Date.now() });
  const json = JSON.stringify(body);
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(json) })
    .end(json);
  return true;
}

function bodyOf(response: RpcHttpResponse): Uint8Array {
  if (response.body?.bytes !== undefined) return response.body.bytes;
  return Buffer.from(response.body?.string ?? "");
}

/** A proxy may send the whole URL as the target (RFC 9112 section 3.2.2). */
function originForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, "");
  return path.startsWith("/") ? path : `/${path}`;
}

/** Kestrel refuses a Host that it cannot parse before any function sees the request. */
function absoluteUrl(request: IncomingMessage, target: string): string | undefined {
  const host = request.headers.host ?? "localhost";
  const scheme = "encrypted" in request.socket ? "https" : "http";
  const absolute = `${scheme}://${host}${target}`;
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(absolute) ? absolute : undefined;
}

function declaredLength(request: IncomingMessage): number {
  return Number(request.headers["content-length"] ?? 0);
}

async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

function joinHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    headers[name] = values?.join(name === "cookie" ? "; " : ",") ?? "";
  }
  return headers;
}

function joinQuery(query: string): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [key, value] of new URLSearchParams(query)) {
    const earlier = Object.hasOwn(joined, key) ? joined[key] : undefined;
    Object.defineProperty(joined, key, {
      value: earlier === undefined ? value : `${earlier},${value}`,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return joined;
}

function serialiseCookie(cookie: RpcCookie): string {
  const parts = [`${cookie.name}=${encodeURIComponent(cookie.value)}`];
  if (cookie.domain !== undefined) parts.push(`Domain=${cookie.domain.value}`);
  if (cookie.path !== undefined) parts.push(`Path=${cookie.path.value}`);
  if (cookie.maxAge !== undefined) parts.push(`Max-Age=${cookie.maxAge.value}`);
  if (cookie.secure?.value === true) parts.push("Secure");
  if (cookie.httpOnly?.value === true) parts.push("HttpOnly");
  if (typeof cookie.sameSite === "string" && cookie.sameSite !== "none") parts.push(`SameSite=${cookie.sameSite}`);
  return parts.join("; ");
}
