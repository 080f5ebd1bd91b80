/** Indexes whose members are scored by a time, and of which those count that are younger than the floor. */
import type { RedisConnections } from "./connection.ts";

interface Range {
  readonly fromMs?: number | undefined;
  readonly beforeMs?: number | undefined;
}

/** Where the range begins, as Redis takes it: what has expired is outside. */
export function oldestOf({ fromMs = 0 }: Range, floor: number): string {
  return fromMs > floor ? `${fromMs}` : `(${floor}`;
}

/** The newest first, and how many the range has in all. */
export async function pageOfIndex(
  connections: RedisConnections,
  key: string,
  query: Range & { readonly offset: number; readonly limit: number },
  floor: number,
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  const { offset, limit, beforeMs } = query;
  const newer = beforeMs === undefined ? 0 : await connections.run((redis) => redis.zcount(key, beforeMs, "+inf"));
  const [ids, all] = await connections.run((redis) =>
    Promise.all([
      // Read by rank from the newest end, which is O(log n + page). A range by score with an offset would be O(offset).
      redis.zrevrange(key, newer + offset, newer + offset + limit - 1),
      redis.zcount(key, oldestOf(query, floor), "+inf"),
    ]),
  );
  const total = Math.max(0, all - newer);
  return { ids: ids.slice(0, Math.max(0, total - offset)), total };
}

/** Those of the ids that are in the index, the newest first. */
export async function membersOf(
  connections: RedisConnections,
  key: string,
  ids: readonly string[],
  { fromMs = 0, beforeMs = Number.POSITIVE_INFINITY }: Range,
  floor: number,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const scores = await connections.run((redis) => redis.zmscore(key, ...ids));
  return ids
    .map((id, at) => ({ id, atMs: Number(scores[at] ?? Number.NEGATIVE_INFINITY) }))
    .filter(({ atMs }) => atMs > floor && atMs >= fromMs && atMs < beforeMs)
    .toSorted((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}
