import { VoiceError } from "../../platform/errors.ts";
import {
  maxDocumentsPerSession,
  type JsonDocument,
  type SessionDocument,
  type SessionDocuments,
} from "../ports/session-documents.ts";
import type { ExpiringMap } from "./expiring-map.ts";
import type { SessionScope } from "./session-scope.ts";

export class MemorySessionDocuments implements SessionDocuments {
  readonly #scope: SessionScope;
  /** By session, then by name in lower case. */
  readonly #documents: ExpiringMap<ReadonlyMap<string, SessionDocument>>;

  constructor(scope: SessionScope) {
    this.#scope = scope;
    this.#documents = scope.map();
  }

  async create(sessionId: string, name: string, document: JsonDocument, owner?: string): Promise<SessionDocument> {
    const existing = this.#documents.get(sessionId) ?? new Map<string, SessionDocument>();
    if (existing.has(name.toLowerCase())) throw new VoiceError("conflict", "the session has one of this name");
    if (existing.size >= maxDocumentsPerSession) throw new VoiceError("conflict", "the session has too many of these");
    const created = {
      sessionId,
      name,
      ...(owner === undefined ? {} : { owner }),
      document: structuredClone(document),
      createdAtMs: this.#scope.clock.wallNow(),
      version: 1,
    };
    const documents = new Map(existing).set(name.toLowerCase(), created);
    this.#documents.set(sessionId, documents, this.#scope.lifeSpanMs);
    return created;
  }

  async update(sessionId: string, name: string, version: number, document: JsonDocument): Promise<SessionDocument> {
    const existing = this.#documents.get(sessionId);
    const stored = existing?.get(name.toLowerCase());
    if (existing === undefined || stored?.version !== version)
      throw new VoiceError("conflict", "the document was changed by someone else");
    const changed = { ...stored, document: structuredClone(document), version: version + 1 };
    this.#documents.set(sessionId, new Map(existing).set(name.toLowerCase(), changed), this.#scope.lifeSpanMs);
    return changed;
  }

  async get(sessionId: string, name: string): Promise<SessionDocument | undefined> {
    return this.#documents.get(sessionId)?.get(name.toLowerCase());
  }

  async list(sessionId: string): Promise<readonly SessionDocument[]> {
    return [...(this.#documents.get(sessionId)?.values() ?? [])];
  }
}
