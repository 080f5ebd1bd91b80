/** The vendor's failures in our words. */
import { RestError } from "@azure/core-rest-pipeline";
import { VoiceError } from "@voice/shared/platform/errors";
import type { ErrorCode } from "@voice/shared/platform/errors";

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  401: "upstream_unavailable",
  403: "upstream_unavailable",
  404: "call_not_found",
  408: "upstream_timeout",
  409: "conflict",
  429: "rate_limited",
  504: "upstream_timeout",
};

/** The messages hold numbers and ids: they stay in the cause, which only the log of the operator shows. */
export function toCallError(error: unknown, operation: string): VoiceError {
  if (error instanceof VoiceError) return error;
  if (!(error instanceof RestError))
    return new VoiceError("upstream_unavailable", `${operation} failed`, { cause: error, retryable: false });
  const status = error.statusCode;
  if (status === 400 && isAboutTheNumber(error))
    return new VoiceError("pstn_number_invalid", `${operation}: no number`);
  const code = status === undefined ? "upstream_unavailable" : (codeByStatus[status] ?? "upstream_unavailable");
  const isRefusal = status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
  return new VoiceError(code, `${operation} failed with ${status ?? error.code ?? "no answer"}`, {
    cause: error,
    ...(isRefusal ? { retryable: false } : {}),
  });
}

function isAboutTheNumber({ message }: RestError): boolean {
  return /phone ?number|target|identifier/i.test(message);
}
