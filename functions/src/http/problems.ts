/** Turns any error into a problem body and its status. The only place where errors become answers. */
import {
  problemStatuses,
  type HttpValidationError,
  type Problem,
  type ProblemType,
} from "@voice/shared/contracts/http/problem";
import { challengeFor } from "@voice/shared/auth/challenge";
import { retryAfterSeconds } from "@voice/shared/platform/retry-after";
import { BadRequestError, VoiceError, type ErrorCode, type FieldProblem } from "@voice/shared/platform/errors";
import type { Reply } from "./route.ts";
import { SchemaError } from "./validation.ts";

/** The sentence for callers if the error was not written for them. It is never an exception's own text. */
const sentences: Readonly<Record<ErrorCode, string>> = {
  validation_error: "The request is not valid.",
  unauthorized: "The request needs a valid access token.",
  forbidden: "The caller may not do this.",
  not_found: "There is no such resource.",
  method_not_allowed: "The resource does not support this method.",
  conflict: "The resource was changed by someone else, or exists already. Read it again and repeat.",
  rate_limited: "Too many requests. Try again later.",
  internal_error: "An unexpected error occurred.",
  upstream_unavailable: "A service that this one depends on is unavailable.",
  upstream_timeout: "A service that this one depends on did not answer in time.",
  dependency_not_ready: "A dependency is not ready. Try again shortly.",
  call_not_found: "There is no such call.",
  pstn_number_invalid: "The phone number cannot be called.",
  media_streaming_failed: "The media stream failed.",
  audio_format_unsupported: "The audio format is not supported.",
  speech_quota_exceeded: "The speech service's quota is exceeded. Try again later.",
  speech_region_unavailable: "The speech service's region is unavailable.",
  cache_connection_failed: "The state store is unavailable. Try again shortly.",
  session_expired: "The session existed, and its data was deleted or has expired.",
};

/** HTTP has a status of its own for these, which is not that of the type. */
class StatusError extends BadRequestError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, field: FieldProblem, headers: Readonly<Record<string, string>> = {}) {
    super("validation_error", message, [field]);
    this.status = status;
    this.headers = headers;
  }
}

/** For a request that is larger than the service reads. */
export function bodyTooLarge(limitBytes: number): BadRequestError {
  const field = { field: "body", message: `At most ${limitBytes} bytes`, code: "body_too_large" };
  return new StatusError(413, `The request body is larger than ${limitBytes} bytes.`, field);
}

/** The content codings that request bodies may come in, as `Accept-Encoding` names them. */
export const acceptedCodings = ["gzip", "deflate", "br"] as const;

/** For a body that is compressed in a way the service does not read (RFC 9110 section 15.5.16). */
export function codingUnsupported(): BadRequestError {
  const accepted = acceptedCodings.join(", ");
  const message = `Send it uncompressed, or in one of ${accepted}`;
  const field = { field: "content-encoding", message, code: "content_encoding_unsupported" };
  const headers = { "accept-encoding": accepted };
  return new StatusError(415, "The request body is compressed in a way that is not read.", field, headers);
}

/** For a `Range` that begins behind the end of a file (RFC 9110 section 15.5.17). */
export function rangeUnsatisfiable(fileBytes: number): BadRequestError {
  const field = { field: "range", message: `The file has ${fileBytes} bytes`, code: "range_unsatisfiable" };
  const headers = { "accept-ranges": "bytes", "content-range": `bytes */${fileBytes}` };
  return new StatusError(416, "The range that is asked for is behind the end of the file.", field, headers);
}

/** The status of the answer that `toErrorReply` makes of the error. */
export function statusOf(error: unknown): number {
  if (error instanceof SchemaError) return 422;
  return error instanceof StatusError ? error.status : problemStatuses[typeOf(error)];
}

function typeOf(error: unknown): ErrorCode {
  return error instanceof VoiceError ? error.code : "internal_error";
}

export function toErrorReply(error: unknown, instance: string, nowMs: number): Reply {
  const status = statusOf(error);
  if (error instanceof SchemaError) {
    const body: HttpValidationError = { detail: [...error.errors] };
    return { status, body };
  }
  const type = typeOf(error);
  const detail = error instanceof BadRequestError ? error.message : sentences[type];
  const errors = error instanceof BadRequestError ? error.fields : [];
  const retryAfterMs = error instanceof VoiceError ? error.retryAfterMs : undefined;
  const headers = error instanceof StatusError ? error.headers : undefined;
  return problemReply({ type, status, detail, instance, nowMs, errors, retryAfterMs, headers });
}

export function problemReply(parts: {
  readonly type: ProblemType;
  readonly status?: number;
  readonly detail?: string;
  readonly instance: string;
  readonly nowMs: number;
  readonly errors?: readonly FieldProblem[];
  readonly retryAfterMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}): Reply {
  const { type, status = problemStatuses[type], detail = sentences[type], instance, nowMs, errors = [] } = parts;
  const body: Problem = {
    detail,
    status_code: status,
    timestamp: new Date(nowMs).toISOString(),
    type,
    instance,
    errors: [...errors],
  };
  const retry = status === 429 || status === 503 ? retryAfter(type, parts.retryAfterMs) : {};
  const challenge = status === 401 ? { "www-authenticate": challengeFor(errors) } : {};
  return { status, body, headers: { ...retry, ...challenge, ...parts.headers } };
}

/** Headers for every answer that asks to retry later. */
export function retryAfter(type: ProblemType, requestedMs?: number): { readonly "retry-after": string } {
  return { "retry-after": String(retryAfterSeconds(type, requestedMs)) };
}
