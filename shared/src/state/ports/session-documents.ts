/**
 * Things made at runtime for one session only: its own agents, its own scenarios. The documents are validated before they
 * are stored; the store keeps JSON. Names that differ only in letter case are the same name. They live as long as the
 * session: whatever renews it renews them, and deleting it deletes them.
 */

export type JsonDocument = Readonly<Record<string, unknown>>;

export interface SessionDocument {
  readonly sessionId: string;
  readonly name: string;
  /** The subject that created it; absent if it belongs to the operators. */
  readonly owner?: string | undefined;
  readonly document: JsonDocument;
  readonly createdAtMs: number;
  /** 1 at first, and one more with every change, for compare-and-set. */
  readonly version: number;
}

/** Bounds what one session may leave behind. */
export const maxDocumentsPerSession = 64;

export interface SessionDocuments {
  /** Rejects with `conflict` when the session has one of that name, or `maxDocumentsPerSession` of them. */
  create(sessionId: string, name: string, document: JsonDocument, owner?: string): Promise<SessionDocument>;
  /** Replaces the document. Rejects with `conflict` when `version` is not the stored one's, and where there is none. */
  update(sessionId: string, name: string, version: number, document: JsonDocument): Promise<SessionDocument>;
  get(sessionId: string, name: string): Promise<SessionDocument | undefined>;
  /** In order of creation. */
  list(sessionId: string): Promise<readonly SessionDocument[]>;
}
