/** Translates Redis errors into the product's own errors. */
import { VoiceError } from "../../platform/errors.ts";

/**
 * Replies by which a server says that it cannot serve us now, whatever the command. A redirect (MOVED, ASK) that
 * reaches this code means that the cluster changes faster than its client can follow. Redis 6.2 wraps what a script's
 * command was told.
 */
const unavailable =
  /^(?:ERR Error running script .*: -)?(?:NOAUTH|WRONGPASS|NOPERM|LOADING|READONLY|NOREPLICAS|MASTERDOWN|MOVED|ASK|CLUSTERDOWN|TRYAGAIN|BUSY|OOM|MISCONF|ERR max number of clients)/;

export function toCacheError(error: unknown): VoiceError {
  if (error instanceof VoiceError) return error;
  if (!(error instanceof Error)) return new VoiceError("internal_error", "a non-error was thrown", { cause: error });
  // Any other reply concerns the command itself, which is a bug of ours and not an outage.
  if (error.name === "ReplyError" && !unavailable.test(error.message))
    return new VoiceError("internal_error", "the cache refused a command", { cause: error });
  return new VoiceError("cache_connection_failed", "the cache is unreachable", { cause: error });
}

export function isReply(error: unknown, code: string): boolean {
  return error instanceof Error && error.name === "ReplyError" && error.message.startsWith(code);
}
