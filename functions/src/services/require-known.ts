/** Turns a store's answer about an id into a result or an error for the caller. */
import { unknownResource } from "@voice/shared/auth/unknown-resource";
import { BadRequestError } from "@voice/shared/platform/errors";

type What = "session" | "media session";

export function requireKnown<T extends object>(found: T | "expired" | "unknown", what: What): T {
  if (found === "expired" || found === "unknown") throw missing(found, what);
  return found;
}

export function missing(why: "expired" | "unknown", what: What): BadRequestError {
  return why === "expired"
    ? new BadRequestError(
        "session_expired",
        `The ${what} existed, and its data was deleted or has expired: ${whenExpired[what]}.`,
      )
    : unknownResource(what);
}

const whenExpired: Readonly<Record<What, string>> = {
  session: "nothing but its archive, if there is one, is kept for longer",
  "media session": "create another one with POST /media/sessions",
};
