import type { Clock } from "../../platform/clock.ts";
import { VoiceError } from "../../platform/errors.ts";
import {
  maxDocumentsPerSession,
  type JsonDocument,
  type SessionDocument,
  type SessionDocuments,
} from "../ports/session-documents.ts";
import type { RedisConnections } from "./connection.ts";
import { jsonOf } from "./hash-record.ts";
import { sessionDocument } from "./records.ts";
import { defineScript } from "./script.ts";
import { sessionLife } from "./session-life.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/**
 * ARGV: name in lower case, document, maximum number of fields, life span. A live session renews the life span with
 * every write.
 */
const createDocument = defineScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 'taken' end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 'full' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 'created'
`);

/** ARGV: name in lower case, the expected current text, the new text, life span. */
const replaceDocument = defineScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 'conflict' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 'replaced'
`);

const stored = jsonOf(sessionDocument);

export class RedisSessionDocuments implements SessionDocuments {
  readonly #connections: RedisConnections;
  readonly #clock: Clock;
  readonly #lifeSpanMs: number;
  readonly #keyOf: (sessionId: string) => string;

  constructor(options: RedisStoreOptions, kind: "agents" | "scenarios") {
    this.#connections = options.connections;
    this.#clock = options.clock;
    this.#lifeSpanMs = sessionLife(options.lifeSpans).renewedMs;
    this.#keyOf = (sessionId) => options.keys.session(sessionId)[kind];
  }

  async create(sessionId: string, name: string, document: JsonDocument, owner?: string): Promise<SessionDocument> {
    const mine = owner === undefined ? {} : { owner };
    const created = { sessionId, name, ...mine, document, createdAtMs: this.#clock.wallNow(), version: 1 };
    const args = [name.toLowerCase(), JSON.stringify(created), maxDocumentsPerSession, this.#lifeSpanMs];
    const outcome = await this.#connections.run((redis) => createDocument(redis, [this.#keyOf(sessionId)], args));
    if (outcome === "taken") throw new VoiceError("conflict", "the session has one of this name");
    if (outcome === "full") throw new VoiceError("conflict", "the session has too many of these");
    return created;
  }

  async update(sessionId: string, name: string, version: number, document: JsonDocument): Promise<SessionDocument> {
    const key = this.#keyOf(sessionId);
    const field = name.toLowerCase();
    const text = await this.#connections.run((redis) => redis.hget(key, field));
    const current = text === null ? undefined : stored.parse(text);
    if (text === null || current?.version !== version) throw changedByOthers();
    const changed = { ...current, document, version: version + 1 };
    const args = [field, text, JSON.stringify(changed), this.#lifeSpanMs];
    if ((await this.#connections.run((redis) => replaceDocument(redis, [key], args))) === "conflict")
      throw changedByOthers();
    return changed;
  }

  async get(sessionId: string, name: string): Promise<SessionDocument | undefined> {
    const text = await this.#connections.run((redis) => redis.hget(this.#keyOf(sessionId), name.toLowerCase()));
    return text === null ? undefined : stored.parse(text);
  }

  async list(sessionId: string): Promise<readonly SessionDocument[]> {
    const fields = await this.#connections.run((redis) => redis.hgetall(this.#keyOf(sessionId)));
    return Object.values(fields)
      .map((text) => stored.parse(text))
      .toSorted((a, b) => a.createdAtMs - b.createdAtMs);
  }
}

function changedByOthers(): VoiceError {
  return new VoiceError("conflict", "the document was changed by someone else");
}
