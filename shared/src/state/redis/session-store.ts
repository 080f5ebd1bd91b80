import { isInListOf } from "../../auth/tenant.ts";
import { z } from "zod";
import { VoiceError } from "../../platform/errors.ts";
import { inOrder } from "../history-order.ts";
import { isInIndex, sessionStatuses } from "../ports/session-index.ts";
import { sessionLogs } from "../ports/session-log.ts";
import { channels, firstVersion, historyItem, sessionRecord, turnMetrics } from "../ports/session-store.ts";
import type {
  AppendOutcome,
  SessionPage,
  SessionQuery,
  SessionRecord,
  SessionStore,
  TurnAppend,
} from "../ports/session-store.ts";
import type { AnnounceChange } from "../records/session-documents.ts";
import { jsonOf } from "../stored-json.ts";
import { fromFields, toFields, toPatchArguments } from "./hash-record.ts";
import type { RedisStoreOptions } from "./store-options.ts";
import { SessionLists } from "./session-lists.ts";
import { sessionLife } from "./session-life.ts";
import { appendTurn, createSession, deleteSession, keepSession, updateSession } from "./session-scripts.ts";

/** More than an ordinary conversation has, and parsed within milliseconds. */
const logPage = 500;

const historyList = z.array(jsonOf(historyItem));
const metricsList = z.array(jsonOf(turnMetrics));
/** Fields and values of the record, and what it had before. */
const updateReply = z.tuple([z.array(z.string()), jsonOf(z.enum(channels)), jsonOf(z.enum(sessionStatuses))]);

export function createRedisSessionStore(options: RedisStoreOptions, announceChange: AnnounceChange): SessionStore {
  const { connections, clock, keys } = options;
  const lists = new SessionLists(options);
  const { leastMs, renewedMs, tombstoneMs } = sessionLife(options.lifeSpans);
  const head = (now: number): number[] => [leastMs, renewedMs, tombstoneMs, now];
  const scriptKeys = (sessionId: string): string[] => {
    const { record, turns, metrics, agents, scenarios, tombstone, ...logs } = keys.session(sessionId);
    return [record, turns, metrics, agents, scenarios, tombstone, ...sessionLogs.map((name) => logs[name])];
  };
  const get = async (sessionId: string): Promise<SessionRecord | "expired" | "unknown"> => {
    const { record, tombstone } = keys.session(sessionId);
    const [fields, existed] = await connections.run((redis) =>
      Promise.all([redis.hgetall(record), redis.exists(tombstone)]),
    );
    if (fields["version"] !== undefined) return sessionRecord.parse(fromFields(fields));
    return existed === 1 ? "expired" : "unknown";
  };
  return {
    ...storedTurns({ connections, clock, keys, lists, head, scriptKeys }),
    get,
    list: (query) => listSessions(query, lists, options),
    async create(session) {
      const { sessionId } = session;
      const now = clock.wallNow();
      const record = { ...session, version: firstVersion(session), lastActivityAtMs: now };
      // The index is written first, and never replaces an entry: a crash between the two writes leaves an entry that
      // expires by itself, never a session that no list shows.
      const [, outcome] = await connections.run((redis) =>
        Promise.all([
          lists.use(sessionId, now, "NX"),
          createSession(redis, scriptKeys(sessionId), [...head(now), ...toFields(record)]),
          lists.addToOwner(session, now),
        ]),
      );
      if (outcome === "conflict") throw new VoiceError("conflict", "a session with this id exists");
      const isAgain = outcome === "again";
      await Promise.all([
        lists.enter(session, isAgain ? "anywhere" : undefined),
        isAgain ? lists.useAgain(sessionId, now) : undefined,
      ]);
      return record;
    },
    async update(sessionId, version, patch) {
      const now = clock.wallNow();
      const args = [...head(now), version, ...toPatchArguments(patch)];
      const [reply] = await connections.run((redis) =>
        Promise.all([updateSession(redis, scriptKeys(sessionId), args), lists.use(sessionId, now, "XX")]),
      );
      if (reply === "conflict") throw new VoiceError("conflict", "the session was changed by someone else");
      if (reply === "expired" || reply === "unknown") throw absent(reply);
      const [fields, channel, status] = updateReply.parse(reply);
      const record = sessionRecord.parse(fromFields(fields));
      if (patch.profileId !== undefined) await announceChange(sessionId);
      if (patch.status !== undefined || patch.channel !== undefined)
        await Promise.all([lists.enter(record, { channel, status }), lists.addToOwner(record, now)]);
      return record;
    },
    async keepAlive(sessions) {
      if (sessions.length === 0) return;
      const now = clock.wallNow();
      await connections.run((redis) =>
        Promise.all([
          ...sessions.map(({ sessionId }) => keepSession(redis, scriptKeys(sessionId), head(now))),
          lists.keepAlive(sessions, now - leastMs / 2),
        ]),
      );
    },
    async delete(sessionId) {
      const found = await get(sessionId);
      if (typeof found !== "string") await lists.leaveOwner(found.owner, sessionId);
      const [existed] = await connections.run((redis) =>
        Promise.all([deleteSession(redis, scriptKeys(sessionId), head(clock.wallNow())), lists.leave(sessionId)]),
      );
      return existed === 1;
    },
  };
}

async function listSessions(
  query: SessionQuery,
  lists: SessionLists,
  { connections, keys }: RedisStoreOptions,
): Promise<SessionPage> {
  const { owner } = query;
  const { ids, total } = await lists.page(query);
  const found = await connections.run((redis) => Promise.all(ids.map((id) => redis.hgetall(keys.session(id).record))));
  const read = found.flatMap((fields) =>
    fields["version"] === undefined ? [] : [sessionRecord.parse(fromFields(fields))],
  );
  // The id was used for a session of somebody else after the owner's had expired, or at the same time and first.
  const strangers = read.filter((record) => !isInListOf(owner, record.owner)).map(({ sessionId }) => sessionId);
  if (owner !== undefined) await lists.removeStrangers(owner, strangers);
  const sessions = read.filter((record) => isInListOf(owner, record.owner) && isInIndex(record, query));
  return { sessions, total: total - strangers.length };
}

interface TurnParts extends Pick<RedisStoreOptions, "connections" | "clock" | "keys"> {
  readonly lists: SessionLists;
  /** With which the arguments of scripts begin, and the keys that they have. */
  readonly head: (now: number) => number[];
  readonly scriptKeys: (sessionId: string) => string[];
}

function storedTurns({ connections, clock, keys, lists, head, scriptKeys }: TurnParts) {
  /** In pages, which fit together because a log only grows at its end: parsing a long one at once would hold up others. */
  async function readLog<Entry>(key: string, page: z.ZodType<Entry[]>): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    for (let from = 0; ; from += logPage) {
      const texts = await connections.run((redis) => redis.lrange(key, from, from + logPage - 1));
      entries.push(...page.parse(texts));
      if (texts.length < logPage) return entries;
    }
  }
  return {
    async appendTurn(sessionId: string, turn: TurnAppend): Promise<AppendOutcome> {
      const now = clock.wallNow();
      const metrics = turn.metrics === undefined ? "" : JSON.stringify(turn.metrics);
      const items = turn.items.map((item) => JSON.stringify(item));
      const usage = turn.usage === undefined ? "" : JSON.stringify(turn.usage);
      const { appendId, createdAtMs = "", claimedAtMs = "", turnCount = "" } = turn;
      const { piece = "", keep = 0 } = turn.messages ?? {};
      const facts = [appendId, metrics, turnCount, usage, createdAtMs, claimedAtMs, piece, keep];
      const args = [...head(now), ...facts, ...items];
      // A turn is listed with its words. Its reply, which follows within moments, would move it past nobody.
      const isReply = turn.metrics !== undefined && !turn.items.some(({ role }) => role === "user");
      // Both commands are sent together, in one round trip.
      const [reply] = await connections.run((redis) =>
        Promise.all([
          appendTurn(redis, scriptKeys(sessionId), args),
          isReply ? undefined : lists.use(sessionId, now, "XX"),
        ]),
      );
      if (reply === "expired" || reply === "unknown") throw absent(reply);
      return reply === "late" ? "late" : "in time";
    },
    history: async (sessionId: string) => inOrder(await readLog(keys.session(sessionId).turns, historyList)),
    metrics: (sessionId: string) => readLog(keys.session(sessionId).metrics, metricsList),
  };
}

function absent(state: "expired" | "unknown"): VoiceError {
  return state === "expired"
    ? new VoiceError("session_expired", "the session has expired")
    : new VoiceError("not_found", "there is no session with this id");
}
