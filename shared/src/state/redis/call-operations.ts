/**
 * An operation has a key that marks its beginning and a key for its outcome. Waiters are notified by a message instead
 * of polling. A process that is disconnected misses messages, so it reads the keys of all pending operations when it
 * reconnects, and a waiter reads its key once more when its wait times out.
 */
import { z } from "zod";
import { growingDelayMs } from "../../platform/backoff.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import { keepFirstSuccess } from "../../platform/keep-first-success.ts";
import { pause } from "../../platform/pause.ts";
import { OutcomeWaiters } from "../outcome-waiters.ts";
import {
  operationOutcome,
  type BegunOperation,
  type CallOperation,
  type CallOperations,
  type OperationOutcome,
  type OutcomeWait,
} from "../ports/call-operations.ts";
import type { RedisConnections } from "./connection.ts";
import { jsonOf } from "../stored-json.ts";
import type { Keys } from "./keys.ts";
import type { PubSub } from "./pub-sub.ts";
import { defineScript } from "./script.ts";

export interface RedisCallOperationsOptions {
  readonly connections: RedisConnections;
  readonly pubSub: PubSub;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keys: Keys;
  readonly lifeSpanMs: number;
}

const storedTime = z.coerce.number();
const storedOutcome = jsonOf(operationOutcome);
const message = jsonOf(z.object({ key: z.string(), outcome: operationOutcome }));

/** The interval between reads while the store is unavailable. */
const lookAgain = { firstMs: 100, longestMs: 2000 };

/**
 * KEYS: the marker of the beginning. ARGV: now, life span. Resolves with the time of an earlier beginning, if there was
 * one.
 */
const beginOperation = defineScript(`
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return false
end
return redis.call('GET', KEYS[1])
`);

/** KEYS: outcome, channel; in one slot. ARGV: outcome, life span, publish command, message. */
const settleOperation = defineScript(`
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  redis.call(ARGV[3], KEYS[2], ARGV[4])
  return ARGV[1]
end
return redis.call('GET', KEYS[1])
`);

export class RedisCallOperations implements CallOperations {
  readonly #options: RedisCallOperationsOptions;
  readonly #waiters: OutcomeWaiters;
  readonly #listen: () => Promise<unknown>;

  constructor(options: RedisCallOperationsOptions) {
    this.#options = options;
    this.#waiters = new OutcomeWaiters(options.clock);
    this.#listen = keepFirstSuccess(() =>
      options.pubSub.subscribe(options.keys.callOutcomeChannel, {
        onMessage: (text) => this.#receive(text),
        onRenewed: () => {
          for (const key of this.#waiters.keys) void this.#lookUntilKnown(key);
        },
      }),
    );
  }

  async begin(operation: CallOperation): Promise<BegunOperation> {
    const { connections, clock, lifeSpanMs } = this.#options;
    const { begun } = this.#keysOf(operation);
    const atMs = clock.wallNow();
    const text = await connections.run((redis) => beginOperation(redis, [begun], [atMs, lifeSpanMs]));
    return text === null ? { isNew: true, atMs } : { isNew: false, atMs: storedTime.parse(text) };
  }

  async settle(operation: CallOperation, outcome: OperationOutcome): Promise<OperationOutcome> {
    const { connections, keys, lifeSpanMs, pubSub } = this.#options;
    const key = this.#keysOf(operation).outcome;
    const args = [JSON.stringify(outcome), lifeSpanMs, pubSub.publishCommand, JSON.stringify({ key, outcome })];
    const scriptKeys = [key, keys.callOutcomeChannel];
    return storedOutcome.parse(await connections.run((redis) => settleOperation(redis, scriptKeys, args)));
  }

  async find(operation: CallOperation): Promise<OperationOutcome | undefined> {
    return this.#read(this.#keysOf(operation).outcome);
  }

  async outcome(operation: CallOperation, wait: OutcomeWait): Promise<OperationOutcome | undefined> {
    const key = this.#keysOf(operation).outcome;
    // Subscribes before the first read, so that no message is missed in between.
    const told = this.#waiters.wait(key, wait);
    void this.#lookUntilKnown(key);
    const outcome = await told;
    if (outcome !== undefined || wait.signal?.aborted === true) return outcome;
    return this.#read(key).catch(() => undefined);
  }

  close(): void {
    this.#waiters.stop();
  }

  #keysOf({ callId, operationContext }: CallOperation) {
    return this.#options.keys.callOperation(callId, operationContext);
  }

  async #read(key: string): Promise<OperationOutcome | undefined> {
    const text = await this.#options.connections.run((redis) => redis.get(key));
    return text === null ? undefined : storedOutcome.parse(text);
  }

  /** Ends with the first successful read: later outcomes arrive as messages. */
  async #lookUntilKnown(key: string): Promise<void> {
    for (let failures = 0; this.#waiters.has(key); failures += 1) {
      try {
        await this.#listen();
        const outcome = await this.#read(key);
        if (outcome !== undefined) this.#waiters.tell(key, outcome);
        return;
      } catch (error) {
        if (failures === 0) this.#options.logger.warn({ error }, "the outcome of a call's operation cannot be read");
        await pause(this.#options.clock, growingDelayMs(failures, lookAgain));
      }
    }
  }

  #receive(text: string): void {
    const parsed = message.safeParse(text);
    if (parsed.success) this.#waiters.tell(parsed.data.key, parsed.data.outcome);
    else this.#options.logger.warn({}, "a message about a call's operation cannot be read");
  }
}
