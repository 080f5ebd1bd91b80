/** How much work waits in each lane of a queue, and for how long. */
import type { WorkQueue } from "../ports/work-queue.ts";

export interface Backlog {
  readonly lanes: ReadonlyMap<string, WaitingLane>;
  /** There is more than was counted. */
  readonly isMore: boolean;
}

export interface WaitingLane {
  readonly count: number;
  /** How long the piece has waited that has waited longest, in milliseconds. */
  readonly longestMs: number;
}

/** Reading this many takes the store about half a millisecond. */
const mostCounted = 1000;

/** One round trip. Rejects with `cache_connection_failed`. */
export function createBacklogReader(queue: Pick<WorkQueue, "waiting">): () => Promise<Backlog> {
  return async () => {
    const waiting = await queue.waiting(mostCounted);
    const lanes = new Map<string, WaitingLane>();
    for (const { id, forMs } of waiting) {
      const lane = id.slice(id.lastIndexOf(":") + 1);
      const { count = 0, longestMs = 0 } = lanes.get(lane) ?? {};
      lanes.set(lane, { count: count + 1, longestMs: Math.max(longestMs, forMs) });
    }
    return { lanes, isMore: waiting.length === mostCounted };
  };
}
