/** The value of `WWW-Authenticate`, which every 401 has (RFC 9110 section 11.6.1), for HTTP responses and refused upgrades. */
import type { FieldProblem } from "../platform/errors.ts";

/** RFC 6750 section 3.1: a client whose token is refused gets a new one, and one that has none asks for its first. */
export function challengeFor(errors: readonly FieldProblem[]): string {
  return errors.some(({ code }) => code === "invalid_token") ? 'Bearer error="invalid_token"' : "Bearer";
}
