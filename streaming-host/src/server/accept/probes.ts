/** Answers the platform's HTTP probes of a streaming host: is it alive, and may it receive new sockets? */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { StreamingHost } from "./streaming-host.ts";

export interface Build {
  readonly version: string;
  readonly commit: string;
}

/** Answered on the main thread, which also sends every frame, so that a blocked event loop is noticed. */
export function answerProbe(
  request: IncomingMessage,
  response: ServerResponse,
  { host, build }: { readonly host: Pick<StreamingHost, "isDraining">; readonly build: Build },
): void {
  const path = request.url?.split("?", 1)[0];
  if (path === "/healthz") answer(response, 200, { status: "ok", ...build });
  else if (path === "/readyz") answer(response, host.isDraining ? 503 : 200, { draining: host.isDraining });
  else answer(response, 404, { status: "not_found" });
}

function answer(response: ServerResponse, status: number, body: object): void {
  const json = JSON.stringify(body);
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(json) })
    .end(json);
}
