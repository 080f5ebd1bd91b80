/** Whether and when to try again after a socket closed. */
import { growingDelayMs } from "@voice/shared/platform/backoff";

const delay = { firstMs: 250, longestMs: 5000 };
/** About half a minute in all; after that the user decides. */
export const maxAttempts = 9;

/** Close codes after which another attempt would get the same answer: done, refused, not understood, too big. */
const finalCodes: ReadonlySet<number> = new Set([1000, 1002, 1003, 1007, 1008, 1009]);
/** Application close codes that mean "not allowed" or "does not exist". */
const firstApplicationCode = 4000;

/** The token has expired with which a ticket was got; another ticket needs a newer one. */
const tokenExpiredCode = 4401;
/** Enough not to ask in a loop where the hosts' clocks differ. */
const afterTokenExpiredMs = 1000;

export type ReconnectDecision =
  | { readonly kind: "retry"; readonly delayMs: number }
  | { readonly kind: "give-up"; readonly reason: "ended" | "refused" | "unreachable" };

/**
 * `attempt` counts the failures in a row, from 0. `random` in [0, 1) spreads the clients of a restarting service, so
 * that they do not all reconnect in the same instant.
 */
export function decideReconnect(
  code: number,
  attempt: number,
  random: number,
  mostAttempts: number = maxAttempts,
): ReconnectDecision {
  if (code === 1000) return { kind: "give-up", reason: "ended" };
  if (code === tokenExpiredCode) return { kind: "retry", delayMs: afterTokenExpiredMs };
  if (finalCodes.has(code) || code >= firstApplicationCode) return { kind: "give-up", reason: "refused" };
  if (attempt >= mostAttempts) return { kind: "give-up", reason: "unreachable" };
  const ceilingMs = growingDelayMs(attempt, delay);
  return { kind: "retry", delayMs: Math.round(ceilingMs * (0.5 + random / 2)) };
}
