/**
 * Answers a plain HTTP request for a socket's address: somebody opened it in a browser, or a proxy on the way removed
 * `Upgrade`, and "not found" would send them looking in the wrong place.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { pathOf, problemBody } from "./refuse-upgrade.ts";
import { streamPaths } from "./stream-routes.ts";

/** False if the path is not a socket's. */
export function answerWithoutHandshake(request: IncomingMessage, response: ServerResponse): boolean {
  const path = pathOf(request);
  if (!streamPaths.some(({ pattern }) => pattern.test(path))) return false;
  const detail =
    "A WebSocket is served at this path, and the request does not ask for one: it needs `Connection: Upgrade` and `Upgrade: websocket`, which a proxy may have removed.";
  const body = problemBody(path, { status: 400, code: "validation_error", detail });
  response.writeHead(400, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body);
  return true;
}
