/** Interprets the service's rejections, and the reason why a response failed. */
import { explainedError, UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import { z } from "zod";
import type { ParsedEvent } from "./parsed-event.ts";

/** The prefix of our request ids for responses. An error names the client event that caused it, if that has an id. */
export const requestIdStart = "respond-";
/** The prefix of the ids of our settings messages. */
export const updateIdStart = "update-";

/**
 * The id of every request to delete an item. The service rejects it for an item that has no audio yet or that it does not know; in both
 * cases there is nothing to delete.
 */
export const forgettingId = "forget";

/**
 * Harmless responses to a cancel, or to the end of the caller's turn (TURN-12), that came a moment too late: the service had already ended
 * it.
 */
const harmlessErrors = new Set(["response_cancel_not_active", "no_active_response", "input_audio_buffer_commit_empty"]);
/**
 * What a service sends before it closes a session that has reached its maximum duration: half an hour at Azure, an hour at OpenAI. Nothing
 * was rejected, and the conversation continues in another session.
 */
const endOfSession = new Set(["session_expired", "session_timeout", "session_max_duration_reached"]);
/** Some servers send a numeric status as the code. */
const word = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(undefined);
const errorFields = z.object({ code: word, type: word, param: word, message: word, event_id: word });
/** The fields are in `error`; some servers put a sentence there, or put the fields into the event itself. */
const errorSchema = z.union([
  z.object({ error: errorFields }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => errorFields.parse({ message: error })),
  errorFields.transform(({ code, param, message }) => errorFields.parse({ code, param, message })),
]);

/** Why a response failed. */
export const failure = z.object({ code: word, type: word }).nullish().catch(undefined);

export function readError(raw: unknown): ParsedEvent | undefined {
  const error = errorSchema.safeParse(raw).data;
  if (error === undefined) return undefined;
  const code = error.code ?? error.type ?? "unknown";
  if (harmlessErrors.has(code)) return { type: "nothing" };
  if (endOfSession.has(code))
    return {
      type: "session-over",
      error: explainedError("upstream_unavailable", "the realtime session has lasted as long as one may"),
    };
  if (code === "conversation_already_has_active_response") return { type: "response-refused" };
  const [param, message] = [error.param, error.message].map((text) => (text == null || text === "" ? undefined : text));
  const refusal = toRealtimeError(error, param);
  const { event_id: requestId } = error;
  if (requestId === forgettingId) return { type: "nothing" };
  if (requestId?.startsWith(requestIdStart) === true) return { type: "request-refused", requestId, error: refusal };
  const updateId = requestId?.startsWith(updateIdStart) === true ? requestId : undefined;
  // A rate limit, an outage or an invalid key says nothing about the settings.
  if (refusal.retryable || refusal.code === "rate_limited" || refusal instanceof UpstreamAccessError)
    return updateId === undefined
      ? { type: "error", error: refusal }
      : { type: "update-failed", updateId, error: refusal };
  return {
    type: "refused",
    error: refusal,
    refusal: { code, param, message },
    ...(updateId !== undefined && { updateId }),
  };
}

const warningSchema = z.object({ warning: z.object({ code: word, param: word }) });

/** Voice Live: a warning informs, and the session continues. Its sentence may quote a prompt, so only the names in it are kept. */
export function readWarning(raw: unknown): ParsedEvent {
  const warning = warningSchema.safeParse(raw).data?.warning;
  return { type: "warning", code: nameOf(warning?.code) ?? "unknown", param: nameOf(warning?.param) };
}

function nameOf(text: string | null | undefined): string | undefined {
  return text != null && /^[\w.[\]-]{1,80}$/.test(text) ? text : undefined;
}

interface ErrorKind {
  readonly code?: string | null | undefined;
  readonly type?: string | null | undefined;
}

/** Either field may name the problem: `{"type": "server_error", "code": "overloaded"}`. */
const says = ({ code, type }: ErrorKind, what: RegExp): boolean => [code, type].some((word) => what.test(word ?? ""));

const isOfAccess = (error: ErrorKind): boolean =>
  says(error, /authenti|authori[sz]|permission|forbidden|access_denied|api_?key|^40[13]$/i);

/** Interprets the reason with which a service closes a connection: `invalid_request_error.invalid_model`, or a sentence. */
export function readClosing(code: number, reason: string): ParsedEvent | undefined {
  const name = /^[\w.-]+$/.test(reason) ? reason : `closed_${code}`;
  return readError({ error: { code: name, type: reason, message: reason } });
}

/** The service has many error codes; what matters here is whether a retry may soon succeed. */
export function toRealtimeError(error: ErrorKind, param?: string): VoiceError {
  const code = error.code ?? error.type ?? "unknown";
  // The message may quote a prompt; the name of a field cannot.
  const about = param !== undefined && /^[\w.[\]]{1,80}$/.test(param) ? `${code}, ${param}` : code;
  const reason = `the realtime model refused a request (${about})`;
  const message = `the realtime model said ${about}`;
  if (isOfAccess(error)) return new UpstreamAccessError(message, reason);
  if (says(error, /rate[_ ]?limit|quota|too[_ ]?many|^429$/i))
    return new VoiceError("rate_limited", message, { reason });
  const retryable = says(
    error,
    /server_?(error|busy|overloaded)|^server$|internal|overloaded|unavailable|time_?out|^5\d\d$/i,
  );
  return new VoiceError("upstream_unavailable", message, { retryable, reason });
}

/** Only the code is passed on, because the service's message may contain what the caller said. */
export function transcriptionFailure(code: string): VoiceError {
  const known = /^[\w.-]{1,80}$/.test(code) ? code : "unknown";
  const reason = `the realtime model's transcription failed (${known})`;
  return new VoiceError("upstream_unavailable", reason, { retryable: true, reason });
}
