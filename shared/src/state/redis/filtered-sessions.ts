/**
 * Lists sessions by channel, status and time. A session enters these indexes when it begins, goes on again or ends, in a
 * command of its own, because all indexes share a slot and a session does not. A host that dies between the two writes,
 * or one of an older version, leaves a session in the wrong index; readers compare what they read with what they asked
 * for.
 */
import { isInIndex, sessionIndexes, type SessionIndex } from "../ports/session-index.ts";
import type { LivingSession, SessionQuery, SessionRecord } from "../ports/session-store.ts";
import { IndexUpkeep, indexEntries } from "./index-upkeep.ts";
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

type Range = Pick<SessionQuery, "fromMs" | "beforeMs">;

export class FilteredSessions {
  readonly #options: RedisStoreOptions;
  readonly #upkeep: IndexUpkeep;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
    this.#upkeep = new IndexUpkeep(options.clock, options.lifeSpans.sessionMs);
  }

  /** `before`: what it was until now; undefined if there was none of its id. */
  async enter(
    { sessionId, channel, status }: Pick<SessionRecord, "sessionId" | "channel" | "status">,
    before: Pick<SessionRecord, "channel" | "status"> | "anywhere" | undefined,
  ): Promise<void> {
    const mayBeIn = (index: SessionIndex): boolean =>
      before === "anywhere" || (before !== undefined && isInIndex(before, index));
    await this.#move(
      sessionId,
      sessionIndexes.map((index) => {
        if (isInIndex({ channel, status }, index)) return "1";
        return mayBeIn(index) ? "0" : "-";
      }),
    );
  }

  /** Puts those that are in an index no further down than others that were used at this time. */
  async keepAlive(sessions: readonly LivingSession[], usedAtMs: number): Promise<void> {
    await this.#options.connections.run((redis) =>
      Promise.all(
        sessionIndexes.flatMap((index) => {
          const members = sessions.filter((session) => isInIndex(session, index));
          if (members.length === 0) return [];
          const key = this.#key(index);
          const entries = members.flatMap(({ sessionId }) => [usedAtMs, sessionId]);
          return [redis.zadd(key, "XX", "GT", ...entries), redis.pexpire(key, this.#upkeep.lifeSpanMs)];
        }),
      ),
    );
  }

  async leave(sessionId: string): Promise<void> {
    await this.#move(
      sessionId,
      sessionIndexes.map(() => "0"),
    );
  }

  /** Those of the given ids that are in the index, the newest first. */
  async among(ids: readonly string[], index: SessionIndex, range: Range): Promise<string[]> {
    if (ids.length === 0) return [];
    const scores = await this.#options.connections.run((redis) => redis.zmscore(this.#key(index), ...ids));
    const { fromMs = 0, beforeMs = Number.POSITIVE_INFINITY } = range;
    return ids
      .flatMap((id, at) => {
        const score = scores[at];
        return score === null || score === undefined ? [] : [{ id, atMs: Number(score) }];
      })
      .filter(({ atMs }) => atMs > this.#floor() && atMs >= fromMs && atMs < beforeMs)
      .toSorted((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
  }

  async #move(sessionId: string, isIn: readonly string[]): Promise<void> {
    const { connections, clock } = this.#options;
    const keys = sessionIndexes.map((index) => this.#key(index));
    const isDue = this.#upkeep.isDue() ? 1 : 0;
    const args = [sessionId, clock.wallNow(), this.#floor(), this.#upkeep.lifeSpanMs, isDue, ...isIn];
    await connections.run((redis) => moveSession(redis, keys, args));
  }

  #key(index: SessionIndex): string {
    return this.#options.keys.sessionIndex(index);
  }

  #floor(): number {
    return this.#options.clock.wallNow() - this.#options.lifeSpans.sessionMs;
  }
}
