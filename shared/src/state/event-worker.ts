/**
 * Processes events for a consumer, whatever the store: attempts with growing delays, events of one subject in order,
 * until each is either done or dead-lettered. The store's part is the `EventLedger`.
 */
import { growingDelayMs } from "../platform/backoff.ts";
import type { CallEventType } from "../contracts/events/call-event.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import { createOutageLog, type OutageLog } from "../platform/outage-log.ts";
import { pause } from "../platform/pause.ts";
import { unlessLate } from "../platform/within-time.ts";
import type { Delivery, OnGivenUp } from "./ports/event-bus.ts";

/** The part of the event that the worker needs. */
export interface WorkItem {
  /** The store's id for this delivery. */
  readonly entryId: string;
  readonly eventId: string;
  readonly type: CallEventType;
  readonly subject: string;
  /** Undefined if what is stored is not an event. */
  readonly callId: string | undefined;
  /** The event as it is stored, for the dead letters. */
  readonly eventJson: string;
  handle(delivery: Delivery): Promise<void>;
}

/**
 * Begun: process it. Done: already finished elsewhere. Exhausted: all attempts are used up, perhaps by processes that
 * died.
 */
export type Begun =
  | { readonly state: "begun"; readonly attempt: number }
  | { readonly state: "done" }
  | { readonly state: "exhausted"; readonly attempts: number; readonly reason: string };

export interface EventLedger {
  /** Counts an attempt before it is made, so that an event that kills its process is not retried for ever. */
  begin(item: WorkItem): Promise<Begun>;
  finish(item: WorkItem): Promise<void>;
  /** Remembers why an attempt failed. */
  fail(item: WorkItem, reason: string): Promise<void>;
  deadLetter(item: WorkItem, attempts: number, reason: string): Promise<void>;
}

export interface RetryPolicy {
  readonly maxAttempts: number;
  /** Before the second attempt; doubled before each further one. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { maxAttempts: 5, firstDelayMs: 500, maxDelayMs: 30_000 };

const ledgerSentences = {
  failing: "the event ledger is unreachable",
  over: "the event ledger is reachable again",
};

export interface EventWorkerOptions {
  readonly ledger: EventLedger;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retry: RetryPolicy;
  readonly onGivenUp: OnGivenUp;
}

export class EventWorker {
  readonly #options: EventWorkerOptions;
  readonly #ledger: OutageLog;
  readonly #closing = new AbortController();
  /** Deliveries in progress, by entry id. */
  readonly #inHand = new Map<string, Promise<void>>();
  /** The end of the queue of each subject. */
  readonly #tails = new Map<string, Promise<void>>();

  constructor(options: EventWorkerOptions) {
    this.#options = options;
    this.#ledger = createOutageLog(options.logger, ledgerSentences);
  }

  get entryIds(): readonly string[] {
    return [...this.#inHand.keys()];
  }

  /**
   * Begins processing the event, unless this delivery is in progress already. Resolves when the worker has finished
   * with it.
   */
  take(item: WorkItem): Promise<void> {
    const running = this.#inHand.get(item.entryId);
    if (running !== undefined) return running;
    const before = this.#tails.get(item.subject) ?? Promise.resolve();
    const work = before.then(() => this.#work(item));
    this.#inHand.set(item.entryId, work);
    this.#tails.set(item.subject, work);
    return work.finally(() => {
      this.#inHand.delete(item.entryId);
      if (this.#tails.get(item.subject) === work) this.#tails.delete(item.subject);
    });
  }

  /** Tells handlers to stop, waits for them up to the limit, and abandons what is unfinished. Idempotent. */
  async close(boundMs: number): Promise<void> {
    this.#closing.abort();
    await unlessLate(this.#options.clock, boundMs, Promise.allSettled(this.#inHand.values()));
  }

  /** Never rejects: it waits for an unavailable store, and closing leaves the event to another consumer. */
  async #work(item: WorkItem): Promise<void> {
    const { ledger, retry } = this.#options;
    while (!this.#closing.signal.aborted) {
      const begun = await this.#untilStored(() => ledger.begin(item));
      if (begun === undefined || begun.state === "done") return;
      if (begun.state === "exhausted") {
        await this.#giveUp(item, begun.attempts, begun.reason);
        return;
      }
      const reason = await this.#attempt(item, begun.attempt);
      if (reason === undefined) {
        await this.#untilStored(() => ledger.finish(item));
        return;
      }
      if (this.#closing.signal.aborted) return;
      if (begun.attempt >= retry.maxAttempts) {
        await this.#giveUp(item, begun.attempt, reason);
        return;
      }
      await this.#untilStored(() => ledger.fail(item, reason));
      await this.#delay(begun.attempt);
    }
  }

  /** Undefined when the handler finished, otherwise why it did not. */
  async #attempt(item: WorkItem, attempt: number): Promise<string | undefined> {
    const { eventId, callId } = item;
    try {
      await item.handle({ attempt, signal: this.#closing.signal });
      return undefined;
    } catch (error) {
      this.#options.logger.warn({ error, eventId, callId, attempt }, "an event handler failed");
      return error instanceof Error ? error.message : "a non-error was thrown";
    }
  }

  async #giveUp(item: WorkItem, attempts: number, reason: string): Promise<void> {
    const { eventId, callId, type } = item;
    this.#options.logger.error({ eventId, callId, type, attempts }, "an event was given up");
    this.#options.onGivenUp(type);
    await this.#untilStored(() => this.#options.ledger.deadLetter(item, attempts, reason));
  }

  /** Retries a ledger operation until the store accepts it or the worker closes (undefined). */
  async #untilStored<T>(operation: () => Promise<T>): Promise<T | undefined> {
    for (let failures = 1; ; failures += 1) {
      try {
        const result = await operation();
        this.#ledger.worked();
        return result;
      } catch (error) {
        this.#ledger.failed(error);
      }
      await this.#delay(failures);
      if (this.#closing.signal.aborted) return undefined;
    }
  }

  /** Ends early when the worker closes. */
  #delay(failures: number): Promise<void> {
    const { clock, retry } = this.#options;
    const delays = { firstMs: retry.firstDelayMs, longestMs: retry.maxDelayMs };
    return pause(clock, growingDelayMs(failures - 1, delays), this.#closing.signal);
  }
}
