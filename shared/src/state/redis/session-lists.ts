/**
 * Lists sessions: all of them by their last use, those of a channel or a status by when they began, were resumed or ended last, and those of
 * each owner. A turn moves its session in the first index alone. A session enters the others when it begins, is resumed or ends, in commands
 * of their own, because it does not share a slot with them. A host that dies between two writes, or one of an older version, leaves a session in
 * the wrong index; readers compare what they read with what they asked for.
 *
 * An owner's set holds the time when each session began, was resumed or ended. The index of all sessions knows when a session was last used
 * and whether it still exists; only the session's record knows for certain whose it is.
 */
import { listsOfOwner } from "../../auth/tenant.ts";
import { isFiltered, isInIndex, sessionIndexes, type SessionIndex } from "../ports/session-index.ts";
import type { LivingSession, SessionQuery, SessionRecord } from "../ports/session-store.ts";
import { membersOf, pageOfIndex } from "./index-page.ts";
import { createIndexUpkeep, indexEntries, type IndexUpkeep } from "./index-upkeep.ts";
import { defineScript } from "./script.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/**
 * ARGV: session id, time, the time before which sessions have expired, life span of an index, 1 if the indexes are to be tidied, and
 * for each key 1 if it is in it, 0 if it may have been.
 */
const moveSession = defineScript(`
${indexEntries}
local entered = {}
for i, key in ipairs(KEYS) do
  if ARGV[5 + i] == '1' then entered[#entered + 1] = key
  elseif ARGV[5 + i] == '0' then redis.call('ZREM', key, ARGV[1]) end
end
enter(entered, ARGV[2], ARGV[1], ARGV[4], 0)
if ARGV[5] == '1' then tidy(KEYS, ARGV[3], ARGV[4]) end
return 'moved'
`);

type Standing = Pick<SessionRecord, "channel" | "status">;

export class SessionLists {
  readonly #options: RedisStoreOptions;
  readonly #upkeep: IndexUpkeep;
  readonly #upkeepOfFiltered: IndexUpkeep;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
    this.#upkeep = createIndexUpkeep(options.clock, options.lifeSpans.sessionMs);
    this.#upkeepOfFiltered = createIndexUpkeep(options.clock, options.lifeSpans.sessionMs);
  }

  /** `XX` for a write that may find the session gone, because it must not restore the index entry of a dead session. */
  use(sessionId: string, nowMs: number, condition: "NX" | "XX"): Promise<unknown> {
    const index = this.#options.keys.sessionsByActivity;
    const isDue = this.#upkeep.isDue();
    return this.#options.connections.run((redis) =>
      Promise.all([
        condition === "NX" ? redis.zadd(index, "NX", nowMs, sessionId) : redis.zadd(index, "XX", nowMs, sessionId),
        isDue ? redis.zremrangebyscore(index, "-inf", this.#floor()) : undefined,
        // An entry may be the first of an index.
        isDue || condition === "NX" ? redis.pexpire(index, this.#upkeep.lifeSpanMs) : undefined,
      ]),
    );
  }

  /** Enters a session whose id was used before: the expired entry of the earlier session keeps `NX` from adding it. */
  useAgain(sessionId: string, nowMs: number): Promise<unknown> {
    const index = this.#options.keys.sessionsByActivity;
    return this.#options.connections.run((redis) =>
      // Together: without an entry the whole index may have ended meanwhile, and a new one has no end yet.
      Promise.all([redis.zadd(index, nowMs, sessionId), redis.pexpire(index, this.#upkeep.lifeSpanMs)]),
    );
  }

  async addToOwner({ owner, sessionId }: Pick<SessionRecord, "owner" | "sessionId">, nowMs: number): Promise<void> {
    if (owner === undefined) return;
    const lifeSpanMs = this.#ownedMs();
    await this.#options.connections.run((redis) =>
      Promise.all(
        this.#keysOfOwner(owner).flatMap((key) => [
          redis.zremrangebyscore(key, "-inf", nowMs - lifeSpanMs),
          redis.zadd(key, nowMs, sessionId),
          redis.pexpire(key, lifeSpanMs),
        ]),
      ),
    );
  }

  /**
   * `before`: the channel and status that the session had until now; undefined if there was no session with this id; "anywhere" if they
   * are not known.
   */
  async enter(
    { sessionId, channel, status }: Standing & Pick<SessionRecord, "sessionId">,
    before: Standing | "anywhere" | undefined,
  ): Promise<void> {
    const mayBeIn = (index: SessionIndex): boolean =>
      before === "anywhere" || (before !== undefined && isInIndex(before, index));
    await this.#move(sessionId, (index) => {
      if (isInIndex({ channel, status }, index)) return "1";
      return mayBeIn(index) ? "0" : "-";
    });
  }

  /** Puts them no further down than others that were used at this time. */
  async keepAlive(sessions: readonly LivingSession[], usedAtMs: number): Promise<void> {
    const { connections, keys } = this.#options;
    const all = { key: keys.sessionsByActivity, members: sessions, lifeSpanMs: this.#upkeep.lifeSpanMs };
    const filtered = sessionIndexes.map((index) => ({
      key: keys.sessionIndex(index),
      members: sessions.filter((session) => isInIndex(session, index)),
      lifeSpanMs: this.#upkeepOfFiltered.lifeSpanMs,
    }));
    const owned = sessions.flatMap((session) =>
      this.#keysOfOwner(session.owner).map((key) => ({ key, members: [session], lifeSpanMs: this.#ownedMs() })),
    );
    await connections.run((redis) =>
      Promise.all(
        [all, ...filtered, ...owned].flatMap(({ key, members, lifeSpanMs }) => {
          if (members.length === 0) return [];
          const entries = members.flatMap(({ sessionId }) => [usedAtMs, sessionId]);
          return [redis.zadd(key, "XX", "GT", ...entries), redis.pexpire(key, lifeSpanMs)];
        }),
      ),
    );
  }

  async leave(sessionId: string): Promise<void> {
    const { connections, keys } = this.#options;
    await Promise.all([
      connections.run((redis) => redis.zrem(keys.sessionsByActivity, sessionId)),
      this.#move(sessionId, () => "0"),
    ]);
  }

  async leaveOwner(owner: string | undefined, sessionId: string): Promise<void> {
    await this.#options.connections.run((redis) =>
      Promise.all(this.#keysOfOwner(owner).map((key) => redis.zrem(key, sessionId))),
    );
  }

  /** Removes those from an owner's list that are somebody else's. */
  async removeStrangers(owner: string, sessionIds: readonly string[]): Promise<void> {
    const { connections, keys } = this.#options;
    if (sessionIds.length > 0) await connections.run((redis) => redis.zrem(keys.sessionsOfOwner(owner), ...sessionIds));
  }

  async page(query: SessionQuery): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
    const { connections, keys } = this.#options;
    const { owner, offset, limit } = query;
    const index = isFiltered(query) ? keys.sessionIndex(query) : keys.sessionsByActivity;
    if (owner === undefined) return pageOfIndex(connections, index, query, this.#floor());
    const list = keys.sessionsOfOwner(owner);
    const [listed] = await connections.run((redis) =>
      Promise.all([redis.zrange(list, "0", "-1"), redis.pexpire(list, this.#ownedMs())]),
    );
    const used = await membersOf(connections, keys.sessionsByActivity, listed, {}, this.#floor());
    const ids = isFiltered(query) ? await membersOf(connections, index, used, query, this.#floor()) : used;
    return { ids: ids.slice(offset, offset + limit), total: ids.length };
  }

  async #move(sessionId: string, isIn: (index: SessionIndex) => "1" | "0" | "-"): Promise<void> {
    const { connections, clock, keys } = this.#options;
    const indexes = sessionIndexes.map((index) => keys.sessionIndex(index));
    const { lifeSpanMs } = this.#upkeepOfFiltered;
    const isDue = this.#upkeepOfFiltered.isDue() ? 1 : 0;
    const args = [sessionId, clock.wallNow(), this.#floor(), lifeSpanMs, isDue, ...sessionIndexes.map(isIn)];
    await connections.run((redis) => moveSession(redis, indexes, args));
  }

  #keysOfOwner(owner: string | undefined): string[] {
    return listsOfOwner(owner).map((list) => this.#options.keys.sessionsOfOwner(list));
  }

  /** A session in use keeps living, and stays on its owner's list for as long as its id is remembered. */
  #ownedMs(): number {
    const { sessionMs, tombstoneMs } = this.#options.lifeSpans;
    return sessionMs + tombstoneMs;
  }

  /** Sessions last used before this time have expired. */
  #floor(): number {
    return this.#options.clock.wallNow() - this.#options.lifeSpans.sessionMs;
  }
}
