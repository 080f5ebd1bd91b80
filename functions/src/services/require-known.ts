/** What a store says of an id, as the answer that the caller gets. */
import { BadRequestError } from "@voice/shared/platform/errors";

export function requireKnown<T extends object>(found: T | "expired" | "unknown", what: string): T {
  if (found === "expired")
    throw new BadRequestError("session_expired", `The ${what} existed, and its data has expired.`);
  if (found === "unknown") throw new BadRequestError("not_found", `There is no such ${what}.`);
  return found;
}
