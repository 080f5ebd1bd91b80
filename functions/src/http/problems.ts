/** From whatever went wrong to the body and status of spec section 7. The one place where errors become answers. */
import {
  problemStatuses,
  type HttpValidationError,
  type Problem,
  type ProblemType,
} from "@voice/shared/contracts/http/problem";
import { BadRequestError, VoiceError, type ErrorCode, type FieldProblem } from "@voice/shared/platform/errors";
import type { Reply } from "./route.ts";
import { SchemaError } from "./validation.ts";

/** What a caller reads when the error was not written for callers. Never an exception's own text. */
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
  session_expired: "The session existed, and its data has expired.",
};

/** How long to wait before another try, where waiting helps. */
const retryAfterSeconds = 5;

/** A request that is larger than the service reads; the only status outside the closed list's own. */
export class BodyTooLargeError extends BadRequestError {
  constructor(limitBytes: number) {
    super("validation_error", `The request body is larger than ${limitBytes} bytes.`, [
      { field: "body", message: `At most ${limitBytes} bytes`, code: "body_too_large" },
    ]);
  }
}

export function toErrorReply(error: unknown, instance: string, nowMs: number): Reply {
  if (error instanceof SchemaError) {
    const body: HttpValidationError = { detail: [...error.errors] };
    return { status: 422, body };
  }
  const type = error instanceof VoiceError ? error.code : "internal_error";
  const detail = error instanceof BadRequestError ? error.message : sentences[type];
  const status = error instanceof BodyTooLargeError ? 413 : problemStatuses[type];
  const errors = error instanceof BadRequestError ? error.fields : [];
  const retryAfterMs = error instanceof BadRequestError ? error.retryAfterMs : undefined;
  return problemReply({ type, status, detail, instance, nowMs, errors, retryAfterMs });
}

export function problemReply(parts: {
  readonly type: ProblemType;
  readonly status?: number;
  readonly detail?: string;
  readonly instance: string;
  readonly nowMs: number;
  readonly errors?: readonly FieldProblem[];
  readonly retryAfterMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
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
  const seconds = parts.retryAfterMs === undefined ? retryAfterSeconds : Math.ceil(parts.retryAfterMs / 1000);
  const retry = status === 429 || status === 503 ? { "retry-after": String(seconds) } : {};
  const challenge = status === 401 ? { "www-authenticate": "Bearer" } : {};
  return { status, body, headers: { ...retry, ...challenge, ...parts.headers } };
}
