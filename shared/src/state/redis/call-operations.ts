/**
 * An operation has a key that marks its beginning and a key for its outcome. Waiters are notified by a message instead
 * of polling. A process that is disconnected misses messages, so it reads the keys of all pending operations when it
 * reconnects, and a waiter reads its key once more when its wait times out.
 */
import { z } from "zod";
import { growingDelayMs } from "../../platform/backoff.ts";
import type { Logger } from "../../platform/logger.ts";
import { keepFirstSuccess } from "../../platform/keep-first-success.ts";
import { pause } from "../../platform/pause.ts";
import { createOutcomeWaiters } from "../outcome-waiters.ts";
import {
  operationOutcome,
  type CallOperation,
  type CallOperations,
  type OperationOutcome,
} from "../ports/call-operations.ts";
import { jsonOf } from "../stored-json.ts";
import type { ChannelListener, PubSub } from "./pub-sub.ts";
import { defineScript } from "./script.ts";
import type { RedisStoreOptions } from "./store-options.ts";

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

export function createRedisCallOperations(
  { connections, clock, keys, lifeSpans: { callMs: lifeSpanMs } }: RedisStoreOptions,
  pubSub: PubSub,
  logger: Logger,
): CallOperations & { readonly close: () => void } {
  const waiters = createOutcomeWaiters(clock);
  const keysOf = ({ callId, operationContext }: CallOperation) => keys.callOperation(callId, operationContext);
  const read = async (key: string): Promise<OperationOutcome | undefined> => {
    const text = await connections.run((redis) => redis.get(key));
    return text === null ? undefined : storedOutcome.parse(text);
  };
  const listener: ChannelListener = {
    onMessage(text) {
      const parsed = message.safeParse(text);
      if (parsed.success) waiters.tell(parsed.data.key, parsed.data.outcome);
      else logger.warn({}, "a message about a call's operation cannot be read");
    },
    onRenewed() {
      for (const key of waiters.keys()) void lookUntilKnown(key);
    },
  };
  const listen = keepFirstSuccess(() => pubSub.subscribe(keys.callOutcomeChannel, listener));
  /** Ends with the first successful read: later outcomes arrive as messages. */
  async function lookUntilKnown(key: string): Promise<void> {
    for (let failures = 0; waiters.has(key); failures += 1) {
      try {
        await listen();
        const outcome = await read(key);
        if (outcome !== undefined) waiters.tell(key, outcome);
        return;
      } catch (error) {
        if (failures === 0) logger.warn({ error }, "the outcome of a call's operation cannot be read");
        await pause(clock, growingDelayMs(failures, lookAgain));
      }
    }
  }
  return {
    async begin(operation) {
      const atMs = clock.wallNow();
      const args = [atMs, lifeSpanMs];
      const text = await connections.run((redis) => beginOperation(redis, [keysOf(operation).begun], args));
      return text === null ? { isNew: true, atMs } : { isNew: false, atMs: storedTime.parse(text) };
    },
    async settle(operation, outcome) {
      const key = keysOf(operation).outcome;
      const args = [JSON.stringify(outcome), lifeSpanMs, pubSub.publishCommand, JSON.stringify({ key, outcome })];
      const scriptKeys = [key, keys.callOutcomeChannel];
      return storedOutcome.parse(await connections.run((redis) => settleOperation(redis, scriptKeys, args)));
    },
    find: (operation) => read(keysOf(operation).outcome),
    async outcome(operation, wait) {
      const key = keysOf(operation).outcome;
      // Subscribes before the first read, so that no message is missed in between.
      const told = waiters.wait(key, wait);
      void lookUntilKnown(key);
      const outcome = await told;
      if (outcome !== undefined || wait.signal?.aborted === true) return outcome;
      return read(key).catch(() => undefined);
    },
    close: () => waiters.stop(),
  };
}
