/**
 * What went wrong, in our words. The vendor's own text stays out: it may quote the prompt, and with it the caller. The
 * request id is what support asks for.
 */
import { UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import { APIConnectionTimeoutError, APIError } from "openai";

export function isPromptFiltered(error: unknown): boolean {
  return error instanceof APIError && error.status === 400 && error.code === "content_filter";
}

export function toModelError(error: unknown): VoiceError {
  if (error instanceof VoiceError) return error;
  if (error instanceof APIConnectionTimeoutError) {
    return new VoiceError("upstream_timeout", "the language model did not answer in time");
  }
  if (!(error instanceof APIError) || error.status === undefined) {
    // A socket that broke: the SDK's connection error, or, in the middle of a stream, whatever fetch threw.
    return new VoiceError("upstream_unavailable", "the connection to the language model failed", {
      cause: error instanceof APIError ? error.cause : error,
    });
  }
  return fromStatus(error.status, error);
}

function fromStatus(status: number, error: APIError): VoiceError {
  const message = `the language model answered ${status} (code ${error.code ?? "none"}, request ${error.requestID ?? "unknown"})`;
  const retryAfterMs = readRetryAfterMs(error.headers);
  if (status === 429) {
    // An exhausted quota does not come back within a conversation.
    const retryable = error.code !== "insufficient_quota";
    return new VoiceError("rate_limited", message, { retryable, retryAfterMs });
  }
  if (status === 408 || status === 504) return new VoiceError("upstream_timeout", message, { retryAfterMs });
  if (status === 401 || status === 403) return new UpstreamAccessError(message);
  const retryable = status >= 500 || status === 409;
  return new VoiceError("upstream_unavailable", message, { retryable, retryAfterMs });
}

function readRetryAfterMs(headers: Headers | undefined): number | undefined {
  const ms = toNumber(headers?.get("retry-after-ms"));
  if (ms !== undefined) return ms;
  const seconds = toNumber(headers?.get("retry-after"));
  return seconds === undefined ? undefined : seconds * 1000;
}

function toNumber(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
