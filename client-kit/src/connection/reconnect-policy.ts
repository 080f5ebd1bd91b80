/** Whether and when to try again after a socket closed. */
import { growingDelayMs } from "@voice/shared/platform/backoff";

const delay = { firstMs: 250, longestMs: 5000 };
/**
 * As long as a conversation can be resumed whose host has gone (HS-11), and as a host needs to start on a busy machine;
 * after that the user decides.
 */
export const patienceMs = 120_000;

/** Close codes after which another attempt would get the same answer: refused, not understood, too big. */
const finalCodes: ReadonlySet<number> = new Set([1002, 1003, 1007, 1008, 1009]);
/** Application close codes that mean "not allowed" or "does not exist". */
const firstApplicationCode = 4000;

/** The token has expired with which a ticket was got; another ticket needs a newer one. */
const tokenExpiredCode = 4401;
/** Enough not to ask in a loop where the hosts' clocks differ. */
const afterTokenExpiredMs = 1000;
/** The service could not open the session in time, such as while its store does not answer. */
const handshakeTimeoutCode = 4408;

export type ReconnectDecision =
  | { readonly kind: "retry"; readonly delayMs: number }
  | { readonly kind: "give-up"; readonly reason: "ended" | "refused" | "unreachable" };

export interface Failure {
  readonly code: number;
  /** The failures in a row before it. */
  readonly attempt: number;
  /** Since the first failure in a row. */
  readonly downMs: number;
  readonly patienceMs: number;
  /** The earliest time of the next attempt, if the service has named one. */
  readonly notBeforeMs?: number | undefined;
}

/**
 * `random` in [0, 1) spreads the clients of a restarting service, so that they do not all reconnect in the same instant.
 */
export function decideReconnect(
  { code, attempt, downMs, patienceMs: longestMs, notBeforeMs = 0 }: Failure,
  random: number,
): ReconnectDecision {
  if (code === 1000) return { kind: "give-up", reason: "ended" };
  if (code === tokenExpiredCode) return { kind: "retry", delayMs: afterTokenExpiredMs };
  const isOfApplication = code >= firstApplicationCode && code !== handshakeTimeoutCode;
  if (finalCodes.has(code) || isOfApplication) return { kind: "give-up", reason: "refused" };
  if (downMs + notBeforeMs >= longestMs) return { kind: "give-up", reason: "unreachable" };
  const ceilingMs = growingDelayMs(attempt, delay);
  return { kind: "retry", delayMs: Math.max(Math.round(ceilingMs * (0.5 + random / 2)), notBeforeMs) };
}
