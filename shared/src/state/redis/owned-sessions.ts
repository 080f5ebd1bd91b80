/**
 * Lists the sessions of each owner. This must not cost another write per turn, so an owner's set holds only the time
 * when each session began, went on again or ended. The index of all sessions knows when a session was last used and
 * whether it still exists; only the session's record knows for certain whose it is.
 */
import { listsOfOwner } from "../../auth/tenant.ts";
import type { LivingSession } from "../ports/session-store.ts";
import type { RedisStoreOptions } from "./store-options.ts";

export class OwnedSessions {
  readonly #options: RedisStoreOptions;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  async add(owner: string, sessionId: string, nowMs: number): Promise<void> {
    const { connections, keys } = this.#options;
    const lifeSpanMs = this.#lifeSpanMs();
    await connections.run((redis) =>
      Promise.all(
        listsOfOwner(owner)
          .map((list) => keys.sessionsOfOwner(list))
          .flatMap((key) => [
            redis.zremrangebyscore(key, "-inf", nowMs - lifeSpanMs),
            redis.zadd(key, nowMs, sessionId),
            redis.pexpire(key, lifeSpanMs),
          ]),
      ),
    );
  }

  async keepAlive(sessions: readonly LivingSession[], usedAtMs: number): Promise<void> {
    const { connections, keys } = this.#options;
    await connections.run((redis) =>
      Promise.all(
        sessions.flatMap(({ owner, sessionId }) =>
          listsOfOwner(owner)
            .map((list) => keys.sessionsOfOwner(list))
            .flatMap((key) => [
              redis.zadd(key, "XX", "GT", usedAtMs, sessionId),
              redis.pexpire(key, this.#lifeSpanMs()),
            ]),
        ),
      ),
    );
  }

  /** From one list, or from all that an owner's session is in. */
  async remove(lists: readonly string[], sessionId: string): Promise<void> {
    const { connections, keys } = this.#options;
    await connections.run((redis) =>
      Promise.all(lists.map((list) => redis.zrem(keys.sessionsOfOwner(list), sessionId))),
    );
  }

  /** Sessions last used after `floor` and not deleted since. */
  async newestFirst(owner: string, floor: number): Promise<string[]> {
    const { connections, keys } = this.#options;
    const key = keys.sessionsOfOwner(owner);
    const [ids] = await connections.run((redis) =>
      Promise.all([redis.zrange(key, "0", "-1"), redis.pexpire(key, this.#lifeSpanMs())]),
    );
    if (ids.length === 0) return [];
    const scores = await connections.run((redis) => redis.zmscore(keys.sessionsByActivity, ...ids));
    return ids
      .map((id, index) => ({ id, usedAtMs: Number(scores[index] ?? 0) }))
      .filter(({ usedAtMs }) => usedAtMs > floor)
      .toSorted((a, b) => b.usedAtMs - a.usedAtMs || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
  }

  /** A session in use keeps living, and stays on its owner's list for as long as its id is remembered. */
  #lifeSpanMs(): number {
    const { sessionMs, tombstoneMs } = this.#options.lifeSpans;
    return sessionMs + tombstoneMs;
  }
}
