/** Turns a store's answer about an id into a result or an error for the caller. */
import { BadRequestError } from "@voice/shared/platform/errors";

export function requireKnown<T extends object>(found: T | "expired" | "unknown", what: string): T {
  if (found === "expired" || found === "unknown") throw missing(found, what);
  return found;
}

export function missing(why: "expired" | "unknown", what: string): BadRequestError {
  return why === "expired"
    ? new BadRequestError(
        "session_expired",
        `The ${what} existed, and its data has expired: nothing but its archive, if there is one, is kept for longer.`,
      )
    : new BadRequestError("not_found", `There is no such ${what}: check its id, or look for it in the list.`);
}
