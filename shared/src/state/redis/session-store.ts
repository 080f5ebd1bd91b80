import { isInListOf } from "../../auth/tenant.ts";
import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import { VoiceError } from "../../platform/errors.ts";
import { inOrder } from "../history-order.ts";
import { isInIndex, sessionStatuses } from "../ports/session-index.ts";
import { sessionLogs } from "../ports/session-log.ts";
import { channels, firstVersion, historyItem, sessionRecord, turnMetrics } from "../ports/session-store.ts";
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
import type { RedisConnections } from "./connection.ts";
import { jsonOf } from "../stored-json.ts";
import { fromFields, toFields, toPatchArguments } from "./hash-record.ts";
import type { Keys } from "./keys.ts";
import type { RedisStoreOptions } from "./store-options.ts";
import { SessionLists } from "./session-lists.ts";
import { sessionLife, type SessionLife } from "./session-life.ts";
import { appendTurn, createSession, deleteSession, keepSession, updateSession } from "./session-scripts.ts";

/** More than an ordinary conversation has, and parsed within milliseconds. */
const logPage = 500;

const historyList = z.array(jsonOf(historyItem));
const metricsList = z.array(jsonOf(turnMetrics));
/** Fields and values of the record, and what it had before. */
const updateReply = z.tuple([z.array(z.string()), jsonOf(z.enum(channels)), jsonOf(z.enum(sessionStatuses))]);

export class RedisSessionStore implements SessionStore {
  readonly #tellOfChange: TellOfChange;
  readonly #connections: RedisConnections;
  readonly #clock: Clock;
  readonly #keys: Keys;
  readonly #life: SessionLife;
  readonly #lists: SessionLists;

  constructor(options: RedisStoreOptions, tellOfChange: TellOfChange) {
    this.#tellOfChange = tellOfChange;
    this.#connections = options.connections;
    this.#clock = options.clock;
    this.#keys = options.keys;
    this.#life = sessionLife(options.lifeSpans);
    this.#lists = new SessionLists(options);
  }

  async create(session: NewSession): Promise<SessionRecord> {
    const { sessionId } = session;
    const now = this.#clock.wallNow();
    const record = { ...session, version: firstVersion(session), lastActivityAtMs: now };
    const args = [...this.#head(now), ...toFields(record)];
    // The index is written first, and never replaces an entry: a crash between the two writes leaves an entry that
    // expires by itself, never a session that no list shows.
    const [, outcome] = await this.#connections.run((redis) =>
      Promise.all([
        this.#lists.use(sessionId, now, "NX"),
        createSession(redis, this.#scriptKeys(sessionId), args),
        this.#lists.addToOwner(session, now),
      ]),
    );
    if (outcome === "conflict") throw new VoiceError("conflict", "a session with this id exists");
    const isAgain = outcome === "again";
    await Promise.all([
      this.#lists.enter(session, isAgain ? "anywhere" : undefined),
      isAgain ? this.#lists.useAgain(sessionId, now) : undefined,
    ]);
    return record;
  }

  async get(sessionId: string): Promise<SessionRecord | "expired" | "unknown"> {
    const { record, tombstone } = this.#keys.session(sessionId);
    const [fields, existed] = await this.#connections.run((redis) =>
      Promise.all([redis.hgetall(record), redis.exists(tombstone)]),
    );
    if (fields["version"] !== undefined) return sessionRecord.parse(fromFields(fields));
    return existed === 1 ? "expired" : "unknown";
  }

  async update(sessionId: string, version: number, patch: SessionPatch): Promise<SessionRecord> {
    const now = this.#clock.wallNow();
    const args = [...this.#head(now), version, ...toPatchArguments(patch)];
    const [reply] = await this.#connections.run((redis) =>
      Promise.all([updateSession(redis, this.#scriptKeys(sessionId), args), this.#lists.use(sessionId, now, "XX")]),
    );
    if (reply === "conflict") throw new VoiceError("conflict", "the session was changed by someone else");
    if (reply === "expired" || reply === "unknown") throw absent(reply);
    const [fields, channel, status] = updateReply.parse(reply);
    const record = sessionRecord.parse(fromFields(fields));
    if (patch.profileId !== undefined) await this.#tellOfChange(sessionId);
    if (patch.status !== undefined || patch.channel !== undefined)
      await Promise.all([this.#lists.enter(record, { channel, status }), this.#lists.addToOwner(record, now)]);
    return record;
  }

  async appendTurn(sessionId: string, turn: TurnAppend): Promise<AppendOutcome> {
    const now = this.#clock.wallNow();
    const metrics = turn.metrics === undefined ? "" : JSON.stringify(turn.metrics);
    const items = turn.items.map((item) => JSON.stringify(item));
    const usage = turn.usage === undefined ? "" : JSON.stringify(turn.usage);
    const { appendId, createdAtMs = "", claimedAtMs = "", turnCount = "" } = turn;
    const { piece = "", keep = 0 } = turn.messages ?? {};
    const facts = [appendId, metrics, turnCount, usage, createdAtMs, claimedAtMs, piece, keep];
    const args = [...this.#head(now), ...facts, ...items];
    // A turn is listed with its words. Its reply, which follows within moments, would move it past nobody.
    const isReply = turn.metrics !== undefined && !turn.items.some(({ role }) => role === "user");
    // Both commands are sent together, in one round trip.
    const [reply] = await this.#connections.run((redis) =>
      Promise.all([
        appendTurn(redis, this.#scriptKeys(sessionId), args),
        isReply ? undefined : this.#lists.use(sessionId, now, "XX"),
      ]),
    );
    if (reply === "expired" || reply === "unknown") throw absent(reply);
    return reply === "late" ? "late" : "in time";
  }

  async keepAlive(sessions: readonly LivingSession[]): Promise<void> {
    if (sessions.length === 0) return;
    const now = this.#clock.wallNow();
    await this.#connections.run((redis) =>
      Promise.all([
        ...sessions.map(({ sessionId }) => keepSession(redis, this.#scriptKeys(sessionId), this.#head(now))),
        this.#lists.keepAlive(sessions, now - this.#life.leastMs / 2),
      ]),
    );
  }

  async history(sessionId: string): Promise<readonly HistoryItem[]> {
    return inOrder(await this.#readLog(this.#keys.session(sessionId).turns, historyList));
  }

  metrics(sessionId: string): Promise<readonly TurnMetrics[]> {
    return this.#readLog(this.#keys.session(sessionId).metrics, metricsList);
  }

  /** In pages, which fit together because a log only grows at its end: parsing a long one at once would hold up others. */
  async #readLog<Entry>(key: string, page: z.ZodType<Entry[]>): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    for (let from = 0; ; from += logPage) {
      const texts = await this.#connections.run((redis) => redis.lrange(key, from, from + logPage - 1));
      entries.push(...page.parse(texts));
      if (texts.length < logPage) return entries;
    }
  }

  async list(query: SessionQuery): Promise<SessionPage> {
    const { owner } = query;
    const { ids, total } = await this.#lists.page(query);
    const read = await this.#read(ids);
    // The id was used for a session of somebody else after the owner's had expired, or at the same time and first.
    const strangers = read.filter((record) => !isInListOf(owner, record.owner)).map(({ sessionId }) => sessionId);
    if (owner !== undefined) await this.#lists.removeStrangers(owner, strangers);
    const sessions = read.filter((record) => isInListOf(owner, record.owner) && isInIndex(record, query));
    return { sessions, total: total - strangers.length };
  }

  async #read(sessionIds: readonly string[]): Promise<SessionRecord[]> {
    const records = await this.#connections.run((redis) =>
      Promise.all(sessionIds.map((id) => redis.hgetall(this.#keys.session(id).record))),
    );
    return records
      .filter((fields) => fields["version"] !== undefined)
      .map((fields) => sessionRecord.parse(fromFields(fields)));
  }

  async delete(sessionId: string): Promise<boolean> {
    const found = await this.get(sessionId);
    if (typeof found !== "string") await this.#lists.leaveOwner(found.owner, sessionId);
    const [existed] = await this.#connections.run((redis) =>
      Promise.all([
        deleteSession(redis, this.#scriptKeys(sessionId), this.#head(this.#clock.wallNow())),
        this.#lists.leave(sessionId),
      ]),
    );
    return existed === 1;
  }

  #scriptKeys(sessionId: string): string[] {
    const { record, turns, metrics, agents, scenarios, tombstone, ...logs } = this.#keys.session(sessionId);
    return [record, turns, metrics, agents, scenarios, tombstone, ...sessionLogs.map((name) => logs[name])];
  }

  #head(now: number): number[] {
    const { leastMs, renewedMs, tombstoneMs } = this.#life;
    return [leastMs, renewedMs, tombstoneMs, now];
  }
}

function absent(state: "expired" | "unknown"): VoiceError {
  return state === "expired"
    ? new VoiceError("session_expired", "the session has expired")
    : new VoiceError("not_found", "there is no session with this id");
}
