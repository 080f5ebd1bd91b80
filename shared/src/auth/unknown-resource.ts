/** What a client is told of something that is not there, and of what is another tenant's, word for word (TENANT-2). */
import { BadRequestError } from "../platform/errors.ts";

export type Resource = "session" | "media session" | "call" | "profile";

export function unknownResource(what: Resource): BadRequestError {
  return new BadRequestError(what === "call" ? "call_not_found" : "not_found", sentences[what]);
}

const sentences: Readonly<Record<Resource, string>> = {
  session: "There is no such session: check its id, or look for it in the list.",
  "media session": "There is no such media session: check its id.",
  call: "There is no such call: check its id, or look for it in the list.",
  profile: "There is no such profile.",
};
