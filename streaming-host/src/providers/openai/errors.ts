/**
 * Translates the vendor's failures into our errors. The vendor's text is left out, because it may quote the prompt and
 * with it the caller. Support asks for the request id.
 */
import { UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import { requestIdOf, wordOf } from "@voice/shared/platform/foreign-facts";
import { APIConnectionTimeoutError, APIError } from "openai";

export function isPromptFiltered(error: unknown): boolean {
  return error instanceof APIError && error.status === 400 && error.code === "content_filter";
}

/** `service`: what was called, such as `the language model`. */
export function toUpstreamError(error: unknown, service: string): VoiceError {
  if (error instanceof VoiceError) return error;
  if (error instanceof APIConnectionTimeoutError) {
    return new VoiceError("upstream_timeout", `${service} did not answer in time`, {
      reason: `${service}'s endpoint did not answer in time`,
    });
  }
  if (!(error instanceof APIError) || error.status === undefined) {
    // A broken socket: the SDK's connection error or, in mid-stream, whatever fetch threw.
    return new VoiceError("upstream_unavailable", `the connection to ${service} failed`, {
      cause: error instanceof APIError ? error.cause : error,
      reason: `${service}'s endpoint could not be reached`,
    });
  }
  return fromStatus(error.status, error, service);
}

const accessHelp: Readonly<Record<number, string>> = {
  401: "its key or token is not accepted",
  403: "this identity has no role there, or the network is not let in",
  404: "its address, or the name of its model or deployment, is wrong",
};

/** Of vLLM, which wants `--enable-auto-tool-choice` and `--tool-call-parser`, and of Ollama. */
const withoutTools = /tool choice requires|does not support tools/i;

function fromStatus(status: number, error: APIError, service: string): VoiceError {
  const message = `${service} answered ${status} (code ${wordOf(error.code) ?? "none"}, request ${requestIdOf(error.requestID) ?? "unknown"})`;
  const retryAfterMs = readRetryAfterMs(error.headers);
  const reason = `${service}'s endpoint answered ${status}`;
  if (status === 429) {
    // An exhausted quota does not come back within a conversation.
    const retryable = error.code !== "insufficient_quota";
    return new VoiceError("rate_limited", message, { retryable, retryAfterMs, reason });
  }
  if (status === 408 || status === 504) return new VoiceError("upstream_timeout", message, { retryAfterMs, reason });
  if (status === 400 && withoutTools.test(error.message)) {
    return new UpstreamAccessError(
      message,
      `${reason}: the model has no tools, or its server was started without them`,
    );
  }
  const help = accessHelp[status];
  if (help !== undefined) return new UpstreamAccessError(message, `${reason}: ${help}`);
  const retryable = status >= 500 || status === 409;
  return new VoiceError("upstream_unavailable", message, { retryable, retryAfterMs, reason });
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
