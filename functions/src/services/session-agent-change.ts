/**
 * Applies a change to an agent that was created for a session: merged into its document and checked like the document.
 */
import { checkSessionAgent } from "@voice/shared/catalog/session-documents";
import type { AgentChange } from "@voice/shared/contracts/agents/agent-document";
import { BadRequestError } from "@voice/shared/platform/errors";
import { inSlices } from "@voice/shared/platform/steps";
import type { JsonDocument, SessionDocument } from "@voice/shared/state/records/session-documents";
import { updateWithRetry } from "@voice/shared/state/update-with-retry";
import type { Dependencies } from "../dependencies.ts";
import { requireValid } from "../http/document-check.ts";
import { acceptStored } from "./agent-catalog.ts";
import { section, statedChange } from "./agent-override.ts";
import { requireVoice } from "./require-voice.ts";

interface SessionAgent {
  readonly sessionId: string;
  readonly name: string;
}

export async function changeSessionAgent(
  asked: SessionAgent,
  change: AgentChange,
  dependencies: Dependencies,
): Promise<{ readonly name: string; readonly changes: string[] }> {
  const { agents } = dependencies.state;
  const { changes } = statedChange(change);
  const first = await requireOwn(asked, dependencies);
  if (changes.length === 0) return { name: first.name, changes };
  const others = (await agents.list(asked.sessionId)).filter(({ name }) => name !== first.name);
  const { agents: siblings } = await acceptStored({ agents: others }, dependencies);
  await updateWithRetry<SessionDocument, JsonDocument>({
    read: async () => requireOwn(asked, dependencies),
    decide: async ({ document }) => {
      const changed = withChange(document, change);
      const { catalog, knownTools, settings } = dependencies;
      requireVoice(section(changed, "voice"), settings);
      requireValid(await inSlices(checkSessionAgent(changed, catalog, knownTools, siblings)));
      return changed;
    },
    write: async ({ name, version }, document) => agents.update(asked.sessionId, name, version, document),
  });
  return { name: first.name, changes };
}

/** A setting for one of the two models would override the common one, so it is removed: a change applies to both. */
function withChange(document: JsonDocument, change: AgentChange): JsonDocument {
  const { model, voice } = statedChange(change);
  const before = section(document, "model");
  const special = Object.fromEntries(
    ["cascade", "realtime"]
      .filter((key) => before[key] !== undefined)
      .map((key) => [key, without(section(before, key), Object.keys(model))]),
  );
  return {
    ...document,
    model: { ...before, ...special, ...model },
    voice: { ...section(document, "voice"), ...voice },
  };
}

function without(values: JsonDocument, keys: readonly string[]): JsonDocument {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
}

async function requireOwn({ sessionId, name }: SessionAgent, { state }: Dependencies): Promise<SessionDocument> {
  const found = await state.agents.get(sessionId, name);
  if (found !== undefined) return found;
  throw new BadRequestError("not_found", "No agent of this name was made for this session.");
}
