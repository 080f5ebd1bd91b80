/**
 * Limits what one session may store, its own agents and scenarios together, and for how many sessions a client may store anything: the
 * session need not exist yet, so its first definition counts as a started conversation.
 */
import { BadRequestError } from "@voice/shared/platform/errors";
import { jsonBytes } from "@voice/shared/platform/json-bytes";
import { maxDocumentsPerSession } from "@voice/shared/state/records/session-documents";
import type { Dependencies } from "../dependencies.ts";

/**
 * The store has this limit too, but its refusal is less clear. Two simultaneous requests may exceed the limit by one
 * document.
 */
export async function requireQuota(
  kind: "agents" | "scenarios",
  sessionId: string,
  document: object,
  {
    client,
    state,
    settings,
    sessionQuota,
    storageQuota,
  }: Pick<Dependencies, "state" | "settings" | "sessionQuota" | "storageQuota"> & { client: string },
): Promise<void> {
  const limit = settings.maxSessionDefinitionBytes;
  const [agents, scenarios] = await Promise.all([state.agents.list(sessionId), state.scenarios.list(sessionId)]);
  if ({ agents, scenarios }[kind].length >= maxDocumentsPerSession)
    throw new BadRequestError("conflict", `The session has ${maxDocumentsPerSession} ${kind}.`, [
      { field: "body", message: `At most ${maxDocumentsPerSession} ${kind} a session`, code: "quota_exceeded" },
    ]);
  const added = jsonBytes(document);
  const bytes = [...agents, ...scenarios].reduce((sum, one) => sum + jsonBytes(one.document), added);
  if (bytes <= limit) {
    await storageQuota.require(client, added);
    if (agents.length + scenarios.length === 0) await sessionQuota.require(client);
    return;
  }
  throw new BadRequestError("conflict", `The session's agents and scenarios would take ${bytes} bytes.`, [
    { field: "body", message: `At most ${limit} bytes for all of a session together`, code: "quota_exceeded" },
  ]);
}
