/** Makes an agent or a scenario for one session. */
import { ownerOf, type Caller } from "@voice/shared/auth/caller";
import { requireSessionAccess } from "@voice/shared/auth/session-owner";
import type { Agent } from "@voice/shared/catalog/agent";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { BadRequestError, VoiceError } from "@voice/shared/platform/errors";
import { createId } from "@voice/shared/platform/ids";
import type { JsonDocument } from "@voice/shared/state/records/session-documents";
import type { Dependencies } from "../dependencies.ts";
import { SchemaError } from "../http/validation.ts";
import { acceptStored } from "./agent-catalog.ts";
import { requireQuota } from "./definition-quota.ts";
import { requireMayMakeAgents } from "./session-agent-tools.ts";

interface DefinitionRequest {
  readonly query: { readonly session_id?: string | undefined };
  readonly body: JsonDocument & { readonly name: string; readonly session_id?: string | null | undefined };
  readonly request: { readonly caller: Caller };
}

/** `check` rejects with what is wrong with the document. `agents`: the session's own. */
export async function createDefinition<Checked>(
  kind: "agent" | "scenario",
  { query, body, request: { caller } }: DefinitionRequest,
  check: (document: JsonDocument, catalog: Catalog, agents: readonly Agent[]) => Checked | Promise<Checked>,
  dependencies: Dependencies,
) {
  const { state } = dependencies;
  const { catalog } = await dependencies.releases.deployed();
  const { session_id: sessionInBody, ...document } = body;
  const sessionId = sessionScope(query.session_id, sessionInBody);
  await requireSessionAccess(caller, sessionId, state);
  requireMayMakeAgents(caller);
  const { agents } = await acceptStored({ agents: await state.agents.list(sessionId) }, { ...dependencies, catalog });
  const checked = await check(document, catalog, agents);
  await requireQuota(`${kind}s`, sessionId, document, { ...dependencies, client: caller.subject });
  try {
    const created = await state[`${kind}s`].create(sessionId, body.name, document, ownerOf(caller));
    const createdAt = created.createdAtMs / 1000;
    return { created, checked, times: { created_at: createdAt, modified_at: createdAt } };
  } catch (error) {
    if (!(error instanceof VoiceError) || error.code !== "conflict") throw error;
    throw new BadRequestError("conflict", `The session already has this ${kind}; choose another name.`, [
      { field: "name", message: "Taken in this session, whatever the letters' case", code: "name_taken" },
    ]);
  }
}

/**
 * The session named in the query or the body. If none is named, a new id, with which the client then opens the
 * conversation.
 */
function sessionScope(inQuery: string | undefined, inBody: string | null | undefined): string {
  if (inQuery !== undefined && typeof inBody === "string" && inQuery !== inBody) {
    const msg = "The query and the body name different sessions";
    throw new SchemaError([{ loc: ["body", "session_id"], msg, type: "value_error" }]);
  }
  return inBody ?? inQuery ?? createId("session");
}
