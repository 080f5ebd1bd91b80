/** Merges a change to an agent with the changes made before it. */
import { isPlainObject } from "@voice/shared/platform/plain-object";
import type { AgentChange } from "@voice/shared/contracts/agents/agent-document";
import type { AgentStore } from "@voice/shared/state/records/agent-store";
import type { JsonDocument } from "@voice/shared/state/records/session-documents";
import { updateWithRetry } from "@voice/shared/state/update-with-retry";

/** The changed fields and their values; nothing is stored if the request changes nothing. */
export async function overrideAgent(name: string, change: AgentChange, agents: AgentStore): Promise<string[]> {
  const { model, voice, changes } = statedChange(change);
  if (changes.length === 0) return [];
  await updateWithRetry<{ version: number; document: JsonDocument }, JsonDocument>({
    read: async () => (await agents.override(name)) ?? { version: 0, document: {} },
    decide: ({ document }) => ({
      model: { ...section(document, "model"), ...model },
      voice: { ...section(document, "voice"), ...voice },
    }),
    write: async ({ version }, document) => agents.putOverride(name, version, document),
  });
  return changes;
}

interface StatedChange {
  readonly model: JsonDocument;
  readonly voice: JsonDocument;
  /** In words. */
  readonly changes: string[];
}

export function statedChange(change: AgentChange): StatedChange {
  const model = stated(change.model);
  const voice = stated(change.voice);
  const fields = [...Object.entries(model), ...Object.entries(voice)];
  return { model, voice, changes: fields.map(([field, value]) => `${field} -> ${String(value)}`) };
}

/** Fields left out, and null, change nothing. */
function stated(section: object | null | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(section ?? {}).filter(([, value]) => value !== null && value !== undefined));
}

export function section(document: JsonDocument, key: string): JsonDocument {
  const value = document[key];
  return isPlainObject(value) ? value : {};
}
