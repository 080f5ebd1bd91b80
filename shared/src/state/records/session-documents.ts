/**
 * Things made at runtime for one session only: its own agents, its own scenarios. The documents are validated before they
 * are stored; the store keeps JSON. Names that differ only in letter case are the same name. They live as long as the
 * session: whatever renews it renews them, and deleting it deletes them.
 */
import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import { VoiceError } from "../../platform/errors.ts";
import type { RecordGroups } from "../ports/record-groups.ts";
import { readerOf, type Stored } from "../stored-json.ts";

export type JsonDocument = Readonly<Record<string, unknown>>;

export const sessionDocument = z.object({
  sessionId: z.string(),
  name: z.string(),
  /** The subject that created it; absent if it belongs to the operators. */
  owner: z.string().optional(),
  document: z.record(z.string(), z.unknown()),
  createdAtMs: z.number(),
  // Written by hosts of the version before this one, which changed none.
  /** 1 at first, and one more with every change, for compare-and-set. */
  version: z.number().default(1),
});
export type SessionDocument = Stored<typeof sessionDocument>;

/** Bounds what one session may leave behind. */
export const maxDocumentsPerSession = 64;

export type SessionDocuments = ReturnType<typeof createSessionDocuments>;

const read = readerOf(sessionDocument);

/** Announces a change of one session, or of every session if it is undefined (`ToldChanges`). Resolves once it is announced. */
export type AnnounceChange = (sessionId: string | undefined) => Promise<void>;

/** `groups` has a group for each session, which lives as long as it. */
export function createSessionDocuments(groups: RecordGroups, clock: Clock, announce: AnnounceChange) {
  return {
    /** Rejects with `conflict` when the session has one of that name, or `maxDocumentsPerSession` of them. */
    async create(sessionId: string, name: string, document: JsonDocument, owner?: string): Promise<SessionDocument> {
      const mine = owner === undefined ? {} : { owner };
      const created = { sessionId, name, ...mine, document, createdAtMs: clock.wallNow(), version: 1 };
      const text = JSON.stringify(created);
      const outcome = await groups.add(sessionId, name.toLowerCase(), text, maxDocumentsPerSession);
      if (outcome === "taken") throw new VoiceError("conflict", "the session has one of this name");
      if (outcome === "full") throw new VoiceError("conflict", "the session has too many of these");
      await announce(sessionId);
      return created;
    },
    /** Replaces the document. Rejects with `conflict` when `version` is not the stored one's, and where there is none. */
    async update(sessionId: string, name: string, version: number, document: JsonDocument): Promise<SessionDocument> {
      const text = await groups.get(sessionId, name.toLowerCase());
      const current = read(text);
      if (text === undefined || current?.version !== version) throw changedByOthers();
      const changed = { ...current, document, version: version + 1 };
      if (!(await groups.swap(sessionId, name.toLowerCase(), text, JSON.stringify(changed)))) throw changedByOthers();
      await announce(sessionId);
      return changed;
    },
    get: async (sessionId: string, name: string) => read(await groups.get(sessionId, name.toLowerCase())),
    /** In order of creation. */
    async list(sessionId: string): Promise<readonly SessionDocument[]> {
      const documents = (await groups.all(sessionId)).flatMap((text) => read(text) ?? []);
      return documents.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    },
  };
}

function changedByOthers(): VoiceError {
  return new VoiceError("conflict", "the document was changed by someone else");
}
