/**
 * Runtime changes to agents. An override applies to every session on every instance, from its next turn on (LIVE-1); it
 * is not written back to the catalog. Session-scoped agents are visible to one session only.
 */
import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import { VoiceError } from "../../platform/errors.ts";
import type { RecordGroups } from "../ports/record-groups.ts";
import { jsonOf, type Stored } from "../stored-json.ts";
import type { JsonDocument, SessionDocuments, AnnounceChange } from "./session-documents.ts";

export const agentOverride = z.object({
  /** As in the catalog. Names that differ only in letter case are the same name. */
  agentName: z.string(),
  /** The whole override (not a patch of the one before), merged over the catalog's agent by the reader. */
  document: z.record(z.string(), z.unknown()),
  updatedAtMs: z.number(),
  /** Grows by one with every write; the compare in compare-and-set. */
  version: z.number(),
});
export type AgentOverride = Stored<typeof agentOverride>;

export type AgentStore = ReturnType<typeof createAgentStore>;

const stored = jsonOf(agentOverride);
/** All overrides are in one group. */
const everything = "overrides";

export function createAgentStore(
  ofSessions: SessionDocuments,
  groups: RecordGroups,
  clock: Clock,
  announce: AnnounceChange,
) {
  return {
    ...ofSessions,
    overrides: async (): Promise<readonly AgentOverride[]> => (await groups.all(everything)).map(toOverride),
    async override(agentName: string): Promise<AgentOverride | undefined> {
      const text = await groups.get(everything, agentName.toLowerCase());
      return text === undefined ? undefined : toOverride(text);
    },
    /** `version` is that of the override being replaced, 0 where there is none. Rejects with `conflict` otherwise. */
    async putOverride(agentName: string, version: number, document: JsonDocument): Promise<AgentOverride> {
      const name = agentName.toLowerCase();
      const written = { agentName, document, updatedAtMs: clock.wallNow(), version: version + 1 };
      const current = await groups.get(everything, name);
      const isWritten =
        (current === undefined ? 0 : toOverride(current).version) === version &&
        (current === undefined
          ? (await groups.add(everything, name, toText(written))) === "added"
          : await groups.swap(everything, name, current, toText(written)));
      if (!isWritten) throw new VoiceError("conflict", "the agent was changed by someone else");
      await announce(undefined);
      return written;
    },
  };
}

/** With the version in front, by which hosts of the version before this one compare. */
function toText(override: AgentOverride): string {
  return `${override.version}:${JSON.stringify(override)}`;
}

function toOverride(text: string): AgentOverride {
  return stored.parse(text.slice(text.indexOf(":") + 1));
}
