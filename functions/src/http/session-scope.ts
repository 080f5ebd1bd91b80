/** Which session a runtime agent or scenario is made for. */
import { createId } from "@voice/shared/platform/ids";
import { SchemaError } from "./validation.ts";

/** Named in the query or the body. Named in neither, a new one: whoever made the agent opens the conversation with it. */
export function sessionScope(inQuery: string | undefined, inBody: string | null | undefined): string {
  if (inQuery !== undefined && typeof inBody === "string" && inQuery !== inBody) {
    const msg = "The query and the body name different sessions";
    throw new SchemaError([{ loc: ["body", "session_id"], msg, type: "value_error" }]);
  }
  return inBody ?? inQuery ?? createId("session");
}
