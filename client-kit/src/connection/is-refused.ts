import { ServiceProblem } from "./service-problem.ts";

/** These say "not now" (RFC 9110, RFC 8470, RFC 6585). */
const notNow: ReadonlySet<number> = new Set([408, 425, 429]);
const notYou: ReadonlySet<number> = new Set([401, 403]);

/** Whether asking for a ticket again would get the same answer. */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof ServiceProblem) || error.status >= 500 || notNow.has(error.status)) return false;
  // What is not JSON comes from a proxy, or from a platform whose application is starting: 404 says nothing there.
  return notYou.has(error.status) || error.body !== undefined;
}
