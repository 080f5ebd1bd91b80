/**
 * An index loses what has expired, and is given a longer life, every few minutes and not with every entry: both would be most of
 * what an entry costs. Until then it has some entries that have expired, which readers leave out by their scores.
 */
import type { Clock } from "../../platform/clock.ts";

const longestPauseMs = 10 * 60_000;

export type IndexUpkeep = ReturnType<typeof createIndexUpkeep>;

export function createIndexUpkeep(clock: Clock, entryLifeSpanMs: number) {
  const pauseMs = Math.min(longestPauseMs, Math.ceil(entryLifeSpanMs / 8));
  let doneAtMs = Number.NEGATIVE_INFINITY;
  return {
    /**
     * The life span of an index. It is longer than that of an entry, so that an index whose upkeep has failed once still outlives its
     * entries.
     */
    lifeSpanMs: entryLifeSpanMs + 2 * pauseMs,
    /** True once in a while; the caller then does the upkeep. */
    isDue(): boolean {
      const nowMs = clock.now();
      if (nowMs - doneAtMs < pauseMs) return false;
      doneAtMs = nowMs;
      return true;
    },
  };
}

/**
 * Lua to prepend to a script's body. `enter(keys, score, member, lifeSpan, volatile)` adds to sorted sets, and gives an end to those that do
 * not exist yet, of which the first `volatile` are most likely: they are often empty. `tidy(keys, floor, lifeSpan)` is the upkeep.
 */
export const indexEntries = `
local function enter(keys, score, member, lifeSpan, volatile)
  if #keys == 0 then return end
  local missing = #keys - redis.call('EXISTS', unpack(keys))
  local ended = missing > 0 and #keys or 0
  if ended > volatile and volatile >= missing and redis.call('EXISTS', unpack(keys, 1, volatile)) == volatile - missing then
    ended = volatile
  end
  for i, key in ipairs(keys) do
    redis.call('ZADD', key, score, member)
    if i <= ended then redis.call('PEXPIRE', key, lifeSpan) end
  end
end
local function tidy(keys, floor, lifeSpan)
  for _, key in ipairs(keys) do
    redis.call('ZREMRANGEBYSCORE', key, '-inf', floor)
    redis.call('PEXPIRE', key, lifeSpan)
  end
end
`;
