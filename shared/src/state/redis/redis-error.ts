/** Translates Redis errors into the product's own errors. */
import { VoiceError, explainedError } from "../../platform/errors.ts";

/**
 * Replies by which a server says that it cannot serve us now, whatever the command. A redirect (MOVED, ASK) that
 * reaches this code means that the cluster changes faster than its client can follow. UNBLOCKED ends the waits for news
 * at a primary that has become a replica. Redis 6.2 wraps what a script's command was told.
 */
const unavailable =
  /^(?:ERR Error running script .*: -)?(NOAUTH|UNBLOCKED|WRONGPASS|NOPERM|LOADING|READONLY|NOREPLICAS|MASTERDOWN|MOVED|ASK|CLUSTERDOWN|TRYAGAIN|BUSY|OOM|MISCONF|ERR max number of clients)\b/;

export function toCacheError(error: unknown): VoiceError {
  if (error instanceof VoiceError) return error;
  if (!(error instanceof Error)) return new VoiceError("internal_error", "a non-error was thrown", { cause: error });
  if (error.name !== "ReplyError")
    return explainedError("cache_connection_failed", sentenceOf(error.message), { cause: error });
  const refusal = unavailable.exec(error.message)?.[1];
  // Any other reply concerns the command itself, which is a bug of ours and not an outage.
  if (refusal === undefined) return new VoiceError("internal_error", "the cache refused a command", { cause: error });
  return explainedError("cache_connection_failed", `the cache answers and refuses: ${refusal}`, { cause: error });
}

/** The log has no sentences of libraries, so an operator would not know from these errors, which have no code, what is wrong. */
function sentenceOf(message: string): string {
  if (/timed? ?out/i.test(message)) return "the cache did not answer in time";
  return "the cache is unreachable";
}

export function isReply(error: unknown, code: string): boolean {
  return error instanceof Error && error.name === "ReplyError" && error.message.startsWith(code);
}
