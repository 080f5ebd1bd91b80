import { isInListOf } from "../../auth/tenant.ts";
import { addUsage } from "../../costs/usage.ts";
import { VoiceError } from "../../platform/errors.ts";
import type {
  HistoryItem,
  SessionPage,
  SessionQuery,
  SessionRecord,
  SessionStore,
  TurnAppend,
  TurnMetrics,
} from "../ports/session-store.ts";
import type { AnnounceChange } from "../records/session-documents.ts";
import { inOrder } from "../history-order.ts";
import { firstVersion } from "../ports/session-store.ts";
import { isFiltered, isInIndex } from "../ports/session-index.ts";
import type { SessionPiece } from "../ports/session-log.ts";
import { ExpiringMap } from "./expiring-map.ts";
import { newestPage } from "./newest-page.ts";
import type { SessionScope } from "./session-scope.ts";

/** The log of one session. The arrays only grow; readers get copies. */
interface SessionLog {
  readonly items: HistoryItem[];
  readonly metrics: TurnMetrics[];
  readonly appendIds: Set<string>;
}

/** Where lists show a session. */
interface Place {
  readonly usedAtMs: number;
  /** When it began, was resumed or ended last, by which filtered lists are ordered. */
  readonly movedAtMs: number;
}

/** `logMessages`: into the session's log of messages. */
export function createMemorySessionStore(
  scope: SessionScope,
  tombstoneMs: number,
  logMessages: (sessionId: string, messages: SessionPiece) => void,
  announceChange: AnnounceChange,
): SessionStore {
  const { clock, lifeSpanMs } = scope;
  const records = scope.mapOfOneSession<SessionRecord>();
  const logs = scope.mapOfOneSession<SessionLog>();
  const places = scope.mapOfOneSession<Place>();
  const tombstones = new ExpiringMap<true>(clock);

  function renew(sessionId: string): void {
    tombstones.set(sessionId, true, lifeSpanMs + tombstoneMs);
    scope.renew(sessionId);
  }

  function write(record: SessionRecord, isMoved = false): SessionRecord {
    const { sessionId } = record;
    const nowMs = clock.wallNow();
    const written = { ...record, lastActivityAtMs: nowMs };
    const { movedAtMs = nowMs } = isMoved ? {} : (places.get(sessionId) ?? {});
    records.set(sessionId, written, lifeSpanMs);
    places.set(sessionId, { usedAtMs: nowMs, movedAtMs }, lifeSpanMs);
    renew(sessionId);
    return written;
  }

  function living(sessionId: string): SessionRecord {
    const record = records.get(sessionId);
    if (record !== undefined) return record;
    throw tombstones.has(sessionId) ? expired() : new VoiceError("not_found", "there is no session with this id");
  }

  return {
    async create(session) {
      if (records.has(session.sessionId)) throw new VoiceError("conflict", "a session with this id exists");
      scope.begin(session.sessionId);
      logs.set(session.sessionId, { items: [], metrics: [], appendIds: new Set() }, lifeSpanMs);
      return write({ ...structuredClone(session), version: firstVersion(session), lastActivityAtMs: 0 }, true);
    },
    get: async (sessionId) => records.get(sessionId) ?? (tombstones.has(sessionId) ? "expired" : "unknown"),
    async update(sessionId, version, patch) {
      const record = living(sessionId);
      if (record.version !== version) throw new VoiceError("conflict", "the session was changed by someone else");
      const isMoved = patch.status !== undefined || patch.channel !== undefined;
      const written = write({ ...record, ...structuredClone(patch), version: version + 1 }, isMoved);
      if (patch.profileId !== undefined) void announceChange(sessionId);
      return written;
    },
    async appendTurn(sessionId, turn) {
      const record = living(sessionId);
      const { createdAtMs = Infinity, claimedAtMs = Infinity, turnCount, usage } = turn;
      if (record.createdAtMs > createdAtMs) throw expired();
      const isLate = (record.claimedAtMs ?? 0) > claimedAtMs;
      if (!append(turn, logs.get(sessionId), isLate)) return isLate ? "late" : "in time";
      if (turn.messages !== undefined) logMessages(sessionId, turn.messages);
      write({
        ...record,
        ...(turnCount !== undefined && !isLate && { turnCount }),
        ...(usage !== undefined && { usage: addUsage(record.usage ?? {}, usage) }),
      });
      return isLate ? "late" : "in time";
    },
    async keepAlive(sessions) {
      const atMs = clock.wallNow() - lifeSpanMs / 2;
      for (const { sessionId } of sessions.filter((session) => records.has(session.sessionId))) {
        renew(sessionId);
        const { usedAtMs = 0, movedAtMs = 0 } = places.get(sessionId) ?? {};
        places.replace(sessionId, { usedAtMs: Math.max(usedAtMs, atMs), movedAtMs: Math.max(movedAtMs, atMs) });
      }
    },
    history: async (sessionId) => inOrder(logs.get(sessionId)?.items ?? []),
    metrics: async (sessionId) => [...(logs.get(sessionId)?.metrics ?? [])],
    list: async (query) => listSessions(query, records, places, clock.wallNow() - lifeSpanMs),
    async delete(sessionId) {
      if (!scope.delete(sessionId)) return false;
      tombstones.set(sessionId, true, tombstoneMs);
      return true;
    },
  };
}

/** False if it is there already. */
function append({ appendId, items, metrics }: TurnAppend, log: SessionLog | undefined, isLate: boolean): boolean {
  if (log === undefined || log.appendIds.has(appendId)) return false;
  log.appendIds.add(appendId);
  const own = structuredClone(items);
  log.items.push(...(isLate ? own.map((item) => ({ ...item, late: true as const })) : own));
  if (metrics !== undefined) log.metrics.push(structuredClone(metrics));
  return true;
}

function listSessions(
  query: SessionQuery,
  records: ExpiringMap<SessionRecord>,
  places: ExpiringMap<Place>,
  floor: number,
): SessionPage {
  const listed = records.values().flatMap((record) => {
    const { usedAtMs = 0, movedAtMs = 0 } = places.get(record.sessionId) ?? {};
    const atMs = isFiltered(query) ? movedAtMs : usedAtMs;
    const isListed = isInListOf(query.owner, record.owner) && isInIndex(record, query) && atMs > floor;
    return isListed ? [{ id: record.sessionId, atMs, record }] : [];
  });
  const { page, total } = newestPage(listed, query);
  return { sessions: page.map(({ record }) => record), total };
}

function expired(): VoiceError {
  return new VoiceError("session_expired", "the session has expired");
}
