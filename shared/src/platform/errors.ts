/**
 * The product's only error class hierarchy. `code` is the contract: it is what `type` says in a problem body, what an
 * `error` message on a socket says and what metrics count. The message is for the log; no peer ever sees it unless it
 * was written for them (`BadRequestError`).
 */

export const errorCodes = [
  "validation_error",
  "unauthorized",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "conflict",
  "rate_limited",
  "internal_error",
  "upstream_unavailable",
  "upstream_timeout",
  "dependency_not_ready",
  "call_not_found",
  "pstn_number_invalid",
  "media_streaming_failed",
  "audio_format_unsupported",
  "speech_quota_exceeded",
  "speech_region_unavailable",
  "cache_connection_failed",
  "session_expired",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

const retryableCodes: ReadonlySet<ErrorCode> = new Set([
  "rate_limited",
  "upstream_unavailable",
  "upstream_timeout",
  "dependency_not_ready",
  "speech_quota_exceeded",
  "speech_region_unavailable",
  "cache_connection_failed",
]);

export interface VoiceErrorOptions {
  readonly cause?: unknown;
  /** Overrides the code's default: a vendor's 400 is `upstream_unavailable` and yet not worth retrying. */
  readonly retryable?: boolean | undefined;
  /** How long the rejecting service wants us to wait. It is passed on to our own client as `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
  /** What is wrong on the other side, for operators: a few words without secrets, names or anybody's text. */
  readonly reason?: string | undefined;
}

export class VoiceError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly reason: string | undefined;

  constructor(code: ErrorCode, message: string, options: VoiceErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = options.retryable ?? retryableCodes.has(code);
    this.retryAfterMs = options.retryAfterMs;
    this.reason = options.reason;
  }
}

/** A failure whose message is our own text, and contains nothing that operators may not read. */
export function explainedError(
  code: ErrorCode,
  reason: string,
  options: Omit<VoiceErrorOptions, "reason"> = {},
): VoiceError {
  return new VoiceError(code, reason, { ...options, reason });
}

/**
 * A service rejects our credentials or does not have the resource (401, 403, 404): every call fails in the same way
 * until somebody changes a key, a role, an address or a name.
 */
export class UpstreamAccessError extends VoiceError {
  constructor(message: string, reason?: string, cause?: unknown) {
    super("upstream_unavailable", message, { retryable: false, reason, cause });
  }
}

/** A field of the caller's input that has to change, as a problem body names it (`contracts/http/problem.ts`). */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
  readonly code: string;
}

/** The caller's mistake. Its message and fields are written for the caller and are the only ones that reach a peer. */
export class BadRequestError extends VoiceError {
  readonly fields: readonly FieldProblem[];

  constructor(
    code: ErrorCode,
    message: string,
    fields: readonly FieldProblem[] = [],
    { retryAfterMs }: Pick<VoiceErrorOptions, "retryAfterMs"> = {},
  ) {
    super(code, message, { retryable: false, retryAfterMs });
    this.fields = fields;
  }
}

/** The work was cancelled (barge-in, close, a newer request). This is not a failure and must not be reported as one. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

export function toVoiceError(error: unknown): VoiceError {
  if (error instanceof VoiceError) return error;
  return new VoiceError("internal_error", "something failed that was not foreseen", { cause: error });
}
