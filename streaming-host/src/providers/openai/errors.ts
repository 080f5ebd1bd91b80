/**
 * Translates the vendor's failures into our errors. The vendor's text is left out, because it may quote the prompt and
 * with it the caller. Support asks for the request id.
 */
import { UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import { requestIdOf, wordOf } from "@voice/shared/platform/foreign-facts";
import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { isFilterReason } from "./filter-reasons.ts";

/**
 * OpenAI's models that reason give the code `invalid_prompt`, which other servers give to malformed prompts, so its words decide. OpenRouter's
 * moderation has the status as its code, and `metadata.flagged_input`.
 */
const flagged = /\b(?:prompt|input) was flagged\b|"flagged_input":/i;

/** Azure reports it in the code and in `innererror`, others in the code or the type. */
export function isPromptFiltered(error: unknown): boolean {
  if (!(error instanceof APIError) || ![undefined, 400, 403].includes(error.status)) return false;
  const body = JSON.stringify(error.error ?? "");
  const inner = /"innererror":\s*\{[^}]*"code":\s*"(\w+)"/.exec(body)?.[1];
  const isNamed = [error.code, error.type, inner].some((word) => typeof word === "string" && isFilterReason(word));
  return isNamed || flagged.test(body);
}

/** `service`: what was called, such as `the language model`. */
export function toUpstreamError(error: unknown, service: string): VoiceError {
  if (error instanceof VoiceError) return error;
  if (error instanceof APIConnectionTimeoutError) {
    return new VoiceError("upstream_timeout", `${service} did not answer in time`, {
      reason: `${service}'s endpoint did not answer in time`,
    });
  }
  if (error instanceof APIError && error.status === undefined && !(error instanceof APIConnectionError))
    return inStream(error, service);
  if (!(error instanceof APIError) || error.status === undefined) {
    // A broken socket: the SDK's connection error or, in mid-stream, whatever fetch threw.
    return new VoiceError("upstream_unavailable", `the connection to ${service} failed`, {
      cause: error instanceof APIError ? error.cause : error,
      reason: `${service}'s endpoint could not be reached`,
    });
  }
  return fromStatus(error.status, error, service);
}

/** After a status of 200 has been sent, OpenRouter, LiteLLM and vLLM report the failure in the stream. */
function inStream(error: APIError, service: string): VoiceError {
  const code = wordOf(error.code) ?? wordOf(error.type) ?? "none";
  const isLimited = /429|rate.?limit|quota/i.test(`${error.code} ${error.type}`);
  return new VoiceError(
    isLimited ? "rate_limited" : "upstream_unavailable",
    `${service} reported an error within its answer (code ${code})`,
    { reason: `${service}'s endpoint reported an error within its answer${isLimited ? `: ${limitHelp(error)}` : ""}` },
  );
}

/** OpenAI's word, as code and type alike, for an account without credit; waiting does not help. */
function isQuotaExhausted({ code, type }: APIError): boolean {
  return code === "insufficient_quota" || type === "insufficient_quota";
}

function limitHelp(error: APIError): string {
  return isQuotaExhausted(error)
    ? "its account has no quota or credit left"
    : "more is asked of it than its limits allow";
}

const accessHelp: Readonly<Record<number, string>> = {
  401: "its key or token is not accepted",
  403: "this identity has no role there, or the network is not let in",
  404: "its address, or the name of its model or deployment, is wrong",
};

/** Messages of vLLM, which requires `--enable-auto-tool-choice` and `--tool-call-parser`, and of Ollama. */
const withoutTools = /tool choice requires|does not support tools/i;

function lacksTools(error: unknown): boolean {
  return error instanceof APIError && error.status === 400 && withoutTools.test(error.message);
}

function fromStatus(status: number, error: APIError, service: string): VoiceError {
  const about = [
    `code ${wordOf(error.code) ?? "none"}`,
    ...(parameterOf(error) ?? []),
    `request ${requestIdOf(error.requestID) ?? "unknown"}`,
  ].join(", ");
  const message = `${service} answered ${status} (${about})`;
  const retryAfterMs = readRetryAfterMs(error.headers);
  const reason = `${service}'s endpoint answered ${status}`;
  if (status === 429) {
    // An exhausted quota is not restored within a conversation.
    const retryable = !isQuotaExhausted(error);
    return new VoiceError("rate_limited", message, {
      retryable,
      retryAfterMs,
      reason: `${reason}: ${limitHelp(error)}`,
    });
  }
  if (status === 408 || status === 504) return new VoiceError("upstream_timeout", message, { retryAfterMs, reason });
  if (lacksTools(error)) {
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

/** The part of the request that the error is about: `top_p`, `messages[3].content`. */
function parameterOf({ param }: APIError): readonly string[] | undefined {
  const word = wordOf(param?.replaceAll("[", ".").replaceAll("]", ""));
  return word === undefined ? undefined : [`parameter ${word}`];
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
