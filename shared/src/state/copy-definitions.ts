/** The agents and scenarios that were made for a session follow the conversation into the session after a reset. */
import type { SessionDocuments } from "./records/session-documents.ts";
import type { SessionRecord } from "./ports/session-store.ts";
import type { State } from "./ports/state.ts";

export async function copyDefinitions(
  { agents, scenarios }: Pick<State, "agents" | "scenarios">,
  from: string,
  to: Pick<SessionRecord, "sessionId" | "owner">,
): Promise<void> {
  // A scenario names its agents.
  await copyDocuments(agents, from, to);
  await copyDocuments(scenarios, from, to);
}

async function copyDocuments(
  documents: SessionDocuments,
  from: string,
  { sessionId, owner }: Pick<SessionRecord, "sessionId" | "owner">,
): Promise<void> {
  for (const { name, document } of await documents.list(from)) await documents.create(sessionId, name, document, owner);
}
