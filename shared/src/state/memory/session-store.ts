import { isInListOf } from "../../auth/tenant.ts";
import { addUsage } from "../../costs/usage.ts";
import { VoiceError } from "../../platform/errors.ts";
import type {
  AppendOutcome,
  HistoryItem,
  LivingSession,
  NewSession,
  SessionPage,
  SessionPatch,
  SessionQuery,
  SessionRecord,
  SessionStore,
  TurnAppend,
  TurnMetrics,
} from "../ports/session-store.ts";
import type { TellOfChange } from "../records/session-documents.ts";
import { inOrder } from "../history-order.ts";
import { firstVersion } from "../ports/session-store.ts";
import { isFiltered, isInIndex, sessionIndexes } from "../ports/session-index.ts";
import type { SessionPiece } from "../ports/session-log.ts";
import { ExpiringMap } from "./expiring-map.ts";
import type { SessionScope } from "./session-scope.ts";
import { SortedIndex } from "./sorted-index.ts";

/** The log of one session. The arrays only grow; readers get copies. */
interface SessionLog {
  readonly items: HistoryItem[];
  readonly metrics: TurnMetrics[];
  readonly appendIds: Set<string>;
}

export class MemorySessionStore implements SessionStore {
  readonly #scope: SessionScope;
  readonly #tombstoneMs: number;
  readonly #records: ExpiringMap<SessionRecord>;
  readonly #logs: ExpiringMap<SessionLog>;
  readonly #tombstones: ExpiringMap<true>;
  readonly #byActivity = new SortedIndex();
  readonly #tellOfChange: TellOfChange;
  readonly #logMessages: (sessionId: string, messages: SessionPiece) => void;
  readonly #indexes = sessionIndexes.map((of) => ({ of, members: new SortedIndex() }));

  constructor(
    scope: SessionScope,
    tombstoneMs: number,
    logMessages: (sessionId: string, messages: SessionPiece) => void,
    tellOfChange: TellOfChange,
  ) {
    this.#tellOfChange = tellOfChange;
    this.#scope = scope;
    this.#logMessages = logMessages;
    this.#tombstoneMs = tombstoneMs;
    this.#records = scope.mapOfOneSession();
    this.#logs = scope.mapOfOneSession();
    this.#tombstones = new ExpiringMap(scope.clock);
  }

  async create(session: NewSession): Promise<SessionRecord> {
    if (this.#records.has(session.sessionId)) throw new VoiceError("conflict", "a session with this id exists");
    this.#scope.begin(session.sessionId);
    this.#logs.set(session.sessionId, { items: [], metrics: [], appendIds: new Set() }, this.#scope.lifeSpanMs);
    return this.#enter(
      this.#write({ ...structuredClone(session), version: firstVersion(session), lastActivityAtMs: 0 }),
    );
  }

  async get(sessionId: string): Promise<SessionRecord | "expired" | "unknown"> {
    const record = this.#records.get(sessionId);
    if (record !== undefined) return record;
    return this.#tombstones.has(sessionId) ? "expired" : "unknown";
  }

  async update(sessionId: string, version: number, patch: SessionPatch): Promise<SessionRecord> {
    const record = this.#living(sessionId);
    if (record.version !== version) throw new VoiceError("conflict", "the session was changed by someone else");
    const written = this.#write({ ...record, ...structuredClone(patch), version: version + 1 });
    if (patch.profileId !== undefined) void this.#tellOfChange(sessionId);
    return patch.status === undefined && patch.channel === undefined ? written : this.#enter(written);
  }

  async appendTurn(sessionId: string, turn: TurnAppend): Promise<AppendOutcome> {
    const record = this.#living(sessionId);
    if (record.createdAtMs > (turn.createdAtMs ?? Infinity)) throw expired();
    const isLate = (record.claimedAtMs ?? 0) > (turn.claimedAtMs ?? Infinity);
    const outcome = isLate ? "late" : "in time";
    const log = this.#logs.get(sessionId);
    if (log === undefined || log.appendIds.has(turn.appendId)) return outcome;
    log.appendIds.add(turn.appendId);
    const items = structuredClone(turn.items);
    log.items.push(...(isLate ? items.map((item) => ({ ...item, late: true as const })) : items));
    if (turn.metrics !== undefined) log.metrics.push(structuredClone(turn.metrics));
    if (turn.messages !== undefined) this.#logMessages(sessionId, turn.messages);
    this.#write({
      ...record,
      ...(turn.turnCount !== undefined && !isLate && { turnCount: turn.turnCount }),
      ...(turn.usage !== undefined && { usage: addUsage(record.usage ?? {}, turn.usage) }),
    });
    return outcome;
  }

  async keepAlive(sessions: readonly LivingSession[]): Promise<void> {
    const score = this.#scope.clock.wallNow() - this.#scope.lifeSpanMs / 2;
    for (const { sessionId } of sessions.filter((session) => this.#records.has(session.sessionId))) {
      this.#renew(sessionId);
      for (const members of this.#allIndexes()) members.raise(sessionId, score);
    }
  }

  async history(sessionId: string): Promise<readonly HistoryItem[]> {
    return inOrder(this.#logs.get(sessionId)?.items ?? []);
  }

  async metrics(sessionId: string): Promise<readonly TurnMetrics[]> {
    return [...(this.#logs.get(sessionId)?.metrics ?? [])];
  }

  async list(query: SessionQuery): Promise<SessionPage> {
    const { offset, limit, owner, channel, status } = query;
    const index = this.#indexes.find(({ of }) => of.channel === channel && of.status === status);
    const members = isFiltered(query) && index !== undefined ? index.members : this.#byActivity;
    const read = (ids: readonly string[]): SessionRecord[] => ids.flatMap((id) => this.#records.get(id) ?? []);
    if (owner === undefined) {
      const { ids, total } = members.page(query, this.#floor());
      return { sessions: read(ids), total };
    }
    const { ids } = members.page({ ...query, offset: 0, limit: Infinity }, this.#floor());
    const own = read(ids).filter((record) => isInListOf(owner, record.owner));
    return { sessions: own.slice(offset, offset + limit), total: own.length };
  }

  async delete(sessionId: string): Promise<boolean> {
    if (!this.#scope.delete(sessionId)) return false;
    for (const members of this.#allIndexes()) members.remove(sessionId);
    this.#tombstones.set(sessionId, true, this.#tombstoneMs);
    return true;
  }

  #living(sessionId: string): SessionRecord {
    const record = this.#records.get(sessionId);
    if (record !== undefined) return record;
    throw this.#tombstones.has(sessionId) ? expired() : new VoiceError("not_found", "there is no session with this id");
  }

  #write(record: SessionRecord): SessionRecord {
    const { sessionId } = record;
    const written = { ...record, lastActivityAtMs: this.#scope.clock.wallNow() };
    this.#records.set(sessionId, written, this.#scope.lifeSpanMs);
    this.#renew(sessionId);
    this.#byActivity.trim(this.#floor());
    this.#byActivity.set(sessionId, written.lastActivityAtMs);
    return written;
  }

  #renew(sessionId: string): void {
    this.#tombstones.set(sessionId, true, this.#scope.lifeSpanMs + this.#tombstoneMs);
    this.#scope.renew(sessionId);
  }

  #allIndexes(): readonly SortedIndex[] {
    return [this.#byActivity, ...this.#indexes.map(({ members }) => members)];
  }

  #enter(record: SessionRecord): SessionRecord {
    for (const { of, members } of this.#indexes) {
      members.trim(this.#floor());
      if (isInIndex(record, of)) members.set(record.sessionId, record.lastActivityAtMs);
      else members.remove(record.sessionId);
    }
    return record;
  }

  /** Sessions whose last activity is this old have expired. */
  #floor(): number {
    return this.#scope.clock.wallNow() - this.#scope.lifeSpanMs;
  }
}

function expired(): VoiceError {
  return new VoiceError("session_expired", "the session has expired");
}
