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
  /** Whether a connection to the node is open. */
  readonly isConnected: (node: string) => boolean;
}

const reconnectEveryMs = 1000;
/** Every process writes more often than this. */
const overAfterMs = 3000;

export class DemotedNodes {
  readonly #options: DemotedNodesOptions;
  /** When the last reconnection was asked for, by connection. */
  readonly #askedAtMs = new WeakMap<object, number>();
  /** What ends the wait for a further refusal, by node. */
  readonly #waiting = new Map<string, CancelTimer>();

  constructor(options: DemotedNodesOptions) {
    this.#options = options;
  }

  has(node: string): boolean {
    return this.#waiting.has(node);
  }

  /** The node has refused a write. Returns whether the connection should be opened again. */
  refused(node: string, connection: object, error: Error): boolean {
    const { clock, logger } = this.#options;
    if (!this.has(node)) logger.error({ error: toCacheError(error), node }, "a cache node takes no writes any more");
    this.#waitFor(node);
    const nowMs = clock.now();
    const askedAtMs = this.#askedAtMs.get(connection);
    if (askedAtMs !== undefined && nowMs - askedAtMs < reconnectEveryMs) return false;
    this.#askedAtMs.set(connection, nowMs);
    return true;
  }

  close(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }

  #waitFor(node: string): void {
    const { clock, logger, isConnected } = this.#options;
    this.#waiting.get(node)?.();
    const cancel = clock.setTimer(overAfterMs, () => {
      // A node that is away refuses nothing either.
      if (!isConnected(node)) {
        this.#waitFor(node);
        return;
      }
      this.#waiting.delete(node);
      logger.info({ node }, "the cache node takes writes again");
    });
    this.#waiting.set(node, cancel);
  }
}
