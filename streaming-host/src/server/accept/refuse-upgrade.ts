/** Refuses an upgrade in plain HTTP, with a problem body, as the API has it. */
import { STATUS_CODES } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { challengeFor } from "@voice/shared/auth/challenge";
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import { retryAfterSeconds } from "@voice/shared/platform/retry-after";
import type { ErrorCode, FieldProblem } from "@voice/shared/platform/errors";
import type { CloseReason } from "../../transports/close-reasons.ts";

export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 422 | 429 | 502 | 503;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors?: readonly FieldProblem[];
  readonly retryAfterMs?: number | undefined;
  readonly headers?: readonly string[];
  /** The socket is accepted to be closed with this reason, because the peer is a page, which cannot read an answer over HTTP. */
  readonly closesFor?: CloseReason;
}

export function pathOf({ url }: Pick<IncomingMessage, "url">): string {
  return url?.split("?", 1)[0] ?? "/";
}

/** Sent for an unknown path. */
export function refuseUnknownPath(socket: Duplex, request: Pick<IncomingMessage, "url">): void {
  refuseUpgrade(socket, pathOf(request), {
    status: 404,
    code: "not_found",
    detail: "No socket is served at this path.",
  });
}

export function refuseUpgrade(socket: Duplex, path: string, refusal: Refusal): void {
  const body = problemBody(path, refusal);
  const headers = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    ...(refusal.status === 401 ? [`WWW-Authenticate: ${challengeFor(refusal.errors ?? [])}`] : []),
    ...(refusal.headers ?? []),
    ...(refusal.status === 503 || refusal.status === 429
      ? [`Retry-After: ${retryAfterSeconds(refusal.code, refusal.retryAfterMs)}`]
      : []),
  ];
  socket.once("finish", () => socket.destroy()); // a peer that never hangs up must not keep the connection
  socket.end(`${headers.join("\r\n")}\r\n\r\n${body}`);
}

/** The problem as JSON. */
export function problemBody(path: string, { detail, status, code, errors = [] }: Refusal): string {
  const timestamp = new Date().toISOString();
  return JSON.stringify({ detail, status_code: status, timestamp, type: code, instance: path, errors });
}

const statusOf: Readonly<Partial<Record<ErrorCode, Refusal["status"]>>> = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  call_not_found: 404,
  session_expired: 404,
  validation_error: 400,
  audio_format_unsupported: 400,
  rate_limited: 429,
  upstream_unavailable: 502,
};

/** The refusal for an error; one that is not the peer's fault becomes 503 and reveals nothing of its cause. */
export function refusalOf(error: unknown): Refusal {
  const { code, message, retryAfterMs } = toVoiceError(error);
  const status = statusOf[code] ?? 503;
  const detail =
    status === 401 || status === 403 || error instanceof BadRequestError ? message : "The service is not ready.";
  const errors = error instanceof BadRequestError ? error.fields : [];
  return { status, code, detail, errors, retryAfterMs };
}
