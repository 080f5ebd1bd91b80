/** Translates the vendor's failures into our errors. */
import { RestError } from "@azure/core-rest-pipeline";
import { UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import { wordOf } from "@voice/shared/platform/foreign-facts";
import type { ErrorCode } from "@voice/shared/platform/errors";

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  404: "call_not_found",
  408: "upstream_timeout",
  409: "conflict",
  429: "rate_limited",
  504: "upstream_timeout",
};

const accessHelp = "the communication service does not accept our key or identity";

/** The service's code for a call that is not in the state that a request requires. */
const notEstablished = "8501";

/** The messages contain numbers and ids, so they stay in the cause, of which the log shows only the code. */
export function toCallError(error: unknown, operation: string): VoiceError {
  if (error instanceof VoiceError) return error;
  if (!(error instanceof RestError))
    return new VoiceError("upstream_unavailable", `${operation} failed`, { cause: error, retryable: false });
  const status = error.statusCode;
  if (status === 400 && isAboutTheNumber(error))
    return new VoiceError("pstn_number_invalid", "the number cannot be called", { cause: error });
  // The call is still ringing, or is just ending; either passes, so the request can be repeated later.
  if (error.code === notEstablished)
    return new VoiceError("conflict", `${operation}: the call is not established`, { cause: error, retryable: true });
  const code = status === undefined ? "upstream_unavailable" : (codeByStatus[status] ?? "upstream_unavailable");
  if (status === 401 || status === 403)
    return new UpstreamAccessError(`${operation} failed with ${status}`, accessHelp, error);
  const isRefusal = status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
  return new VoiceError(code, `${operation} failed with ${status ?? wordOf(error.code) ?? "no answer"}`, {
    cause: error,
    ...(isRefusal ? { retryable: false } : {}),
  });
}

/**
 * The service's codes for a call that can no longer be answered, beside 404/8522: the context of its event is stale, or somebody or
 * something has ended it. They come with 400 and 403 (Microsoft's call-automation-sdk.md), which would otherwise mean our
 * mistake and our key.
 */
const tooLateToAnswer: ReadonlySet<string> = new Set(["8523", "7507"]);

/** Of a request about a call that still rings. */
export function toRingingCallError(error: unknown, operation: string): VoiceError {
  if (error instanceof RestError && tooLateToAnswer.has(error.code ?? ""))
    return new VoiceError("call_not_found", `${operation}: it is too late`, { cause: error });
  return toCallError(error, operation);
}

/** The service has the call but will not stream it, for which the contract has its own code. */
export function toStreamError(error: unknown): unknown {
  if (!(error instanceof VoiceError) || error.code !== "upstream_unavailable") return error;
  const { message, cause, retryable } = error;
  return new VoiceError("media_streaming_failed", message, { cause, retryable });
}

/**
 * The service has one code for every invalid parameter, so that only the message tells which one it was. An address
 * that it cannot use may also be called a target; that is our mistake and not the number's.
 */
function isAboutTheNumber({ message }: RestError): boolean {
  if (/\b(?:ur[il]s?|transport\w*|callback\w*|web ?sockets?|endpoint)\b/i.test(message)) return false;
  return /\b(?:phone ?numbers?|target\w*|participants?|identifiers?)\b/i.test(message);
}
