/**
 * A consumer of one type of event on the Redis bus: it reads new events, takes over those
 * of consumers that died, and prevents its own from being taken while it works on them. The worker decides what to do
 * with an event.
 */
import { z } from "zod";
import { callEvent, type CallEventType } from "../../contracts/events/call-event.ts";
import type { CancelTimer } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import type { OutageLog } from "../../platform/outage-log.ts";
import { pause } from "../../platform/pause.ts";
import { dispatch } from "../event-dispatch.ts";
import { EventWorker, type Begun, type EventLedger, type RetryPolicy, type WorkItem } from "../event-worker.ts";
import type { EventHandlers, OnGivenUp } from "../ports/event-bus.ts";
import {
  beginEvent,
  deadLetterEvent,
  ensureGroup,
  failEvent,
  finishEvent,
  leaveGroup,
  signOfLife,
  withdrawEvents,
} from "./event-scripts.ts";
import { jsonOf } from "../stored-json.ts";
import { eventGroup as group } from "./keys.ts";
import { isReply, toCacheError } from "./redis-error.ts";
import type { RedisStoreOptions } from "./store-options.ts";
import { createStreamConnection } from "./stream-connection.ts";

export interface EventBusOptions extends RedisStoreOptions {
  readonly logger: Logger;
  readonly retry: RetryPolicy;
  /** After this long without a sign of life, an event in progress is given to another consumer. */
  readonly reclaimAfterMs: number;
  readonly closeBoundMs: number;
}

export interface EventConsumerOptions extends EventBusOptions {
  /** Unique to this subscriber. */
  readonly consumerId: string;
  readonly type: CallEventType;
  /** A log of outages for each kind of its work; all consumers of one process meet the same ones. */
  readonly outageLog: () => OutageLog;
  readonly onGivenUp: OnGivenUp;
}

/** The most events of one type in progress at once; handlers mostly wait for a vendor. */
const concurrency = 32;
/**
 * How long a read waits for new events; also how soon a consumer notices that it is closing while the cache is silent.
 */
const blockMs = 2000;
const retryReadMs = 500;
/** How often a consumer at its limit checks for a free slot. */
const fullCheckMs = 100;
const maxDeadLetters = 1000;
/** A consumer that has not read for this long is gone and has nothing in progress. */
const forgottenAfterMs = 60 * 60_000;

const entries = z.array(z.tuple([z.string(), z.array(z.string()).nullable()]));
const readReply = z.array(z.tuple([z.string(), entries])).nullable();
const claimReply = z.tuple([z.string(), entries]).rest(z.unknown());
const begunReply = z.union([
  z.tuple([z.literal("done")]),
  z.tuple([z.literal("begun"), z.coerce.number()]),
  z.tuple([z.literal("exhausted"), z.coerce.number(), z.string()]),
]);

type Entry = z.infer<typeof entries>[number];

export class EventConsumer {
  readonly #options: EventConsumerOptions;
  readonly #handlers: EventHandlers;
  readonly #stream: string;
  readonly #worker: EventWorker;
  readonly #reads: OutageLog;
  readonly #upkeep: OutageLog;
  readonly #connection: ReturnType<typeof createStreamConnection>;
  #closing = false;
  #cancelTick: CancelTimer = () => undefined;
  #reading: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(options: EventConsumerOptions, handlers: EventHandlers) {
    this.#options = options;
    this.#handlers = handlers;
    this.#stream = options.keys.stream(options.type);
    this.#connection = createStreamConnection(options.connections, this.#stream, blockMs);
    this.#worker = new EventWorker({ ...options, ledger: this.#ledger() });
    this.#reads = options.outageLog();
    this.#upkeep = options.outageLog();
  }

  /**
   * Also works while the cache is unavailable: the consumer starts when it is back. Rejects only when no connection is
   * left.
   */
  async start(): Promise<void> {
    this.#connection.reserve();
    await this.#attempt(() => this.#ensureGroup());
    await this.#attempt(() => this.#signOfLife());
    this.#reading = this.#read();
    this.#tick();
  }

  /** Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { connections, logger, closeBoundMs, keys, consumerId } = this.#options;
    this.#closing = true;
    this.#cancelTick();
    this.#connection.release();
    await this.#reading;
    await this.#worker.close(closeBoundMs);
    try {
      await connections.run((redis) =>
        leaveGroup(redis, [this.#stream, keys.handlers], [group, consumerId, this.#handlerMember()]),
      );
    } catch (error) {
      logger.warn({ error }, "an event consumer could not sign off; others will notice by its silence");
    }
  }

  async #read(): Promise<void> {
    const { consumerId } = this.#options;
    while (!this.#closing) {
      try {
        const free = this.#room();
        if (free <= 0) {
          await pause(this.#options.clock, fullCheckMs);
          continue;
        }
        const redis = await this.#connection.connected();
        const reply = await redis.xreadgroup(
          ...(["GROUP", group, consumerId, "COUNT", free, "BLOCK", blockMs, "STREAMS", this.#stream, ">"] as const),
        );
        this.#reads.worked();
        for (const [, batch] of readReply.parse(reply) ?? []) this.#take(batch);
      } catch (error) {
        if (this.#closing) return;
        if (isGone(error)) await this.#attempt(() => this.#restoreGroup());
        else {
          this.#reads.failed(toCacheError(error));
          this.#connection.drop();
          await pause(this.#options.clock, retryReadMs);
        }
      }
    }
  }

  #tick(): void {
    this.#cancelTick = this.#options.clock.setTimer(this.#options.reclaimAfterMs / 3, () => void this.#maintain());
  }

  /** Between reads: signs of life, keeping deliveries in progress claimed, and taking over abandoned ones. */
  async #maintain(): Promise<void> {
    await this.#attempt(async () => {
      if (!(await this.#signOfLife())) await this.#restoreGroup();
      await this.#keepInHand();
      await this.#reclaim();
    });
    if (!this.#closing) this.#tick();
  }

  /** `JUSTID` resets the idle time and does not count as a delivery. */
  async #keepInHand(): Promise<void> {
    const ids = this.#worker.entryIds;
    if (ids.length === 0) return;
    const { connections, consumerId } = this.#options;
    await connections.run((redis) => redis.xclaim(this.#stream, group, consumerId, 0, ...ids, "JUSTID"));
  }

  async #reclaim(): Promise<void> {
    const free = this.#room();
    if (free <= 0) return;
    const { connections, consumerId, reclaimAfterMs } = this.#options;
    const reply = await connections.run((redis) =>
      redis.xautoclaim(this.#stream, group, consumerId, reclaimAfterMs, "0-0", "COUNT", free),
    );
    this.#take(claimReply.parse(reply)[1]);
  }

  #room(): number {
    return concurrency - this.#worker.entryIds.length;
  }

  #take(batch: readonly Entry[]): void {
    // An entry without fields was trimmed from the stream before anybody handled it.
    for (const [entryId, fields] of batch) void this.#worker.take(this.#toWork(entryId, fields?.[1] ?? ""));
  }

  #toWork(entryId: string, eventJson: string): WorkItem {
    const { type } = this.#options;
    const parsed = storedEvent.safeParse(eventJson);
    if (!parsed.success)
      return {
        entryId,
        eventId: entryId,
        type,
        subject: entryId,
        callId: undefined,
        eventJson,
        handle: () => Promise.reject(new Error("the stored event is not an event of ours")),
      };
    const event = parsed.data;
    return {
      entryId,
      eventId: event.id,
      type,
      subject: event.subject,
      callId: event.subject,
      eventJson,
      handle: (delivery) => dispatch(this.#handlers, event, delivery),
    };
  }

  #ledger(): EventLedger {
    const { connections, keys, retry, clock, lifeSpans } = this.#options;
    const { eventMs } = lifeSpans;
    const work = (item: WorkItem): string => keys.work(item.eventId);
    return {
      begin: async (item): Promise<Begun> => {
        const args = [retry.maxAttempts, eventMs];
        const [state, count, reason] = begunReply.parse(
          await connections.run((redis) => beginEvent(redis, [work(item)], args)),
        );
        if (state === "begun") return { state, attempt: count };
        if (state === "exhausted") return { state, attempts: count, reason };
        // Another consumer has finished it, and this delivery is a duplicate.
        await connections.run((redis) => withdrawEvents(redis, [this.#stream], [group, item.entryId]));
        return { state };
      },
      finish: async (item) => {
        const args = [group, item.entryId, eventMs];
        await connections.run((redis) => finishEvent(redis, [work(item), this.#stream], args));
      },
      fail: async (item, reason) => {
        // The store may have lost its memory since the attempt began, and with it the end of this key.
        await connections.run((redis) => failEvent(redis, [work(item)], [reason, eventMs]));
      },
      deadLetter: async (item, attempts, reason) => {
        const letter = {
          event: item.eventJson,
          group,
          reason,
          attempts: String(attempts),
          timestampMs: String(clock.wallNow()),
        };
        const args = [group, item.entryId, eventMs, maxDeadLetters, ...Object.entries(letter).flat()];
        await connections.run((redis) => deadLetterEvent(redis, [work(item), this.#stream, keys.deadLetters], args));
      },
    };
  }

  /** Whether there was none. */
  async #ensureGroup(): Promise<boolean> {
    const args = [group, this.#options.lifeSpans.eventMs];
    return (await this.#options.connections.run((redis) => ensureGroup(redis, [this.#stream], args))) === 1;
  }

  /** The stream was lost when its life span ended without an event, or when the server lost its memory. */
  async #restoreGroup(): Promise<void> {
    const { logger, type } = this.#options;
    if (await this.#ensureGroup()) logger.info({ group, type }, "a stream of events was gone and has been made anew");
  }

  /** False if the group is gone. */
  async #signOfLife(): Promise<boolean> {
    const { connections, keys, reclaimAfterMs, lifeSpans } = this.#options;
    const args = [group, reclaimAfterMs, forgottenAfterMs, this.#handlerMember(), lifeSpans.eventMs];
    const scriptKeys = [this.#stream, keys.handlers, keys.deadLetters];
    return (await connections.run((redis) => signOfLife(redis, scriptKeys, args))) === 1;
  }

  #handlerMember(): string {
    const { consumerId, type } = this.#options;
    return ["call", group, consumerId, type].join("|");
  }

  async #attempt(operation: () => Promise<unknown>): Promise<void> {
    try {
      await operation();
      this.#upkeep.worked();
    } catch (error) {
      this.#upkeep.failed(error);
      await pause(this.#options.clock, retryReadMs);
    }
  }
}

/** A read that was waiting gets another error message than one that begins. */
function isGone(error: unknown): boolean {
  return isReply(error, "NOGROUP") || isReply(error, "UNBLOCKED the stream key no longer exists");
}

const storedEvent = jsonOf(callEvent);
