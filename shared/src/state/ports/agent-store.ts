/**
 * Runtime changes to agents. An override applies to every session on every instance, from its next turn on (LIVE-1); it
 * is not written back to the catalog. Session-scoped agents are visible to one session only.
 */
import type { JsonDocument, SessionDocuments } from "./session-documents.ts";

export interface AgentOverride {
  /** As in the catalog. Names that differ only in letter case are the same name. */
  readonly agentName: string;
  /** The whole override (not a patch of the one before), merged over the catalog's agent by the reader. */
  readonly document: JsonDocument;
  readonly updatedAtMs: number;
  /** Grows by one with every write; the compare in compare-and-set. */
  readonly version: number;
}

export interface AgentStore extends SessionDocuments {
  overrides(): Promise<readonly AgentOverride[]>;
  override(agentName: string): Promise<AgentOverride | undefined>;
  /** `version` is that of the override being replaced, 0 where there is none. Rejects with `conflict` otherwise. */
  putOverride(agentName: string, version: number, document: JsonDocument): Promise<AgentOverride>;
}
