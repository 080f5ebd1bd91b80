/** Lists look at every record: one process has as many as begin within the life span of one. */
interface Listed {
  readonly id: string;
  readonly atMs: number;
}

interface Page {
  readonly offset: number;
  readonly limit: number;
  readonly fromMs?: number | undefined;
  readonly beforeMs?: number | undefined;
}

/** A page of those in the range, the newest first, ties by id as Redis orders them; and how many those are. */
export function newestPage<One extends Listed>(
  all: readonly One[],
  { offset, limit, fromMs = 0, beforeMs = Infinity }: Page,
): { readonly page: readonly One[]; readonly total: number } {
  const inRange = all.filter(({ atMs }) => atMs >= fromMs && atMs < beforeMs);
  const sorted = inRange.toSorted((one, other) => other.atMs - one.atMs || (one.id < other.id ? 1 : -1));
  return { page: sorted.slice(offset, offset + limit), total: sorted.length };
}
