/**
 * After a failover the old primary still answers but refuses every write, until its address leads to the new one, which
 * needs a new connection. That may take minutes, so connecting anew is tried once a second and not for each write, and
 * the log has one line when it begins and one when it is over.
 */
import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import { toCacheError } from "./redis-error.ts";

export interface DemotedNodesOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Asks the node itself. False while the node cannot be reached. Never rejects. */
  readonly takesWrites: (node: string) => Promise<boolean>;
}

const reconnectEveryMs = 1000;
/**
 * So long after its last refusal the node is asked, and again after as long. That it has refused nothing proves nothing:
 * an instance of the functions app writes only when it is asked something.
 */
const askAfterMs = 3000;

export type DemotedNodes = ReturnType<typeof createDemotedNodes>;

export function createDemotedNodes({ clock, logger, takesWrites }: DemotedNodesOptions) {
  /** When the last reconnection was requested, by connection. */
  const requestedAtMs = new WeakMap<object, number>();
  /** What ends the wait for a further refusal, by node. */
  const waiting = new Map<string, CancelTimer>();

  function waitFor(node: string): void {
    waiting.get(node)?.();
    const cancel = clock.setTimer(askAfterMs, () => void ask(node, cancel));
    waiting.set(node, cancel);
  }

  /** `waited`: what the wait before this question could be ended with. */
  async function ask(node: string, waited: CancelTimer): Promise<void> {
    const isMended = await takesWrites(node);
    // It has refused another write meanwhile, which has begun another wait, or this process is closing.
    if (waiting.get(node) !== waited) return;
    if (!isMended) {
      waitFor(node);
      return;
    }
    waiting.delete(node);
    logger.info({ node }, "the cache node takes writes again");
  }

  return {
    has: (node: string): boolean => waiting.has(node),
    /** The node has refused a write. Returns whether the connection should be opened again. */
    refused(node: string, connection: object, error: Error): boolean {
      if (!waiting.has(node))
        logger.error({ error: toCacheError(error), node }, "a cache node takes no writes any more");
      waitFor(node);
      const nowMs = clock.now();
      const lastMs = requestedAtMs.get(connection);
      if (lastMs !== undefined && nowMs - lastMs < reconnectEveryMs) return false;
      requestedAtMs.set(connection, nowMs);
      return true;
    },
    close(): void {
      for (const cancel of waiting.values()) cancel();
      waiting.clear();
    },
  };
}
