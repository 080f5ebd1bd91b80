/** Determines the session for which a runtime agent or scenario is created. */
import { createId } from "@voice/shared/platform/ids";
import { SchemaError } from "./validation.ts";

/**
 * The session named in the query or the body. If none is named, a new id, with which the client then opens the
 * conversation.
 */
export function sessionScope(inQuery: string | undefined, inBody: string | null | undefined): string {
  if (inQuery !== undefined && typeof inBody === "string" && inQuery !== inBody) {
    const msg = "The query and the body name different sessions";
    throw new SchemaError([{ loc: ["body", "session_id"], msg, type: "value_error" }]);
  }
  return inBody ?? inQuery ?? createId("session");
}
