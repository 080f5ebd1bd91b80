/**
 * The event bus within one process. Same delivery rules as the Redis one, except that events do not survive the
 * process.
 */
import type { CallEvent } from "../../contracts/events/call-event.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import { dispatch } from "../event-dispatch.ts";
import { EventWorker, type Begun, type EventLedger, type RetryPolicy, type WorkItem } from "../event-worker.ts";
import type { DeadLetter, EventBus, EventHandlers, EventSystemHealth, Unsubscribe } from "../ports/event-bus.ts";
import { ExpiringMap } from "./expiring-map.ts";

export interface MemoryEventBusOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retry: RetryPolicy;
  readonly eventMs: number;
  /** How long a teardown waits for running handlers. */
  readonly closeBoundMs: number;
}

/** Dead letters kept; the oldest go first. */
const maxDeadLetters = 1000;

interface Progress {
  readonly event: CallEvent;
  attempts: number;
  reason: string;
}

interface Consumer {
  readonly handlers: EventHandlers;
  readonly worker: EventWorker;
}

export class MemoryEventBus implements EventBus {
  readonly #options: MemoryEventBusOptions;
  readonly #published: ExpiringMap<true>;
  /** By event id; what is not finished. */
  readonly #open = new Map<string, Progress>();
  readonly #consumers: Consumer[] = [];
  readonly #dead: DeadLetter[] = [];
  #next = 0;

  constructor(options: MemoryEventBusOptions) {
    this.#options = options;
    this.#published = new ExpiringMap(options.clock);
  }

  async publish(event: CallEvent): Promise<"published" | "duplicate"> {
    if (this.#published.has(event.id)) return "duplicate";
    this.#published.set(event.id, true, this.#options.eventMs);
    const progress = { event: structuredClone(event), attempts: 0, reason: "" };
    this.#open.set(event.id, progress);
    this.#deliver(progress);
    return "published";
  }

  async subscribe(handlers: EventHandlers): Promise<Unsubscribe> {
    const worker = new EventWorker({ ...this.#options, ledger: this.#ledger() });
    const consumer = { handlers, worker };
    this.#consumers.push(consumer);
    this.#deliverAll();
    return async () => {
      const at = this.#consumers.indexOf(consumer);
      if (at === -1) return;
      this.#consumers.splice(at, 1);
      await worker.close(this.#options.closeBoundMs);
      this.#deliverAll();
    };
  }

  async health(): Promise<EventSystemHealth> {
    return {
      isHealthy: true,
      handlersCount: this.#consumers.reduce((sum, { handlers }) => sum + Object.keys(handlers).length, 0),
      domainsCount: this.#consumers.length > 0 ? 1 : 0,
    };
  }

  async deadLetters(limit: number): Promise<readonly DeadLetter[]> {
    return this.#dead.slice(0, limit);
  }

  async forget(callId: string): Promise<void> {
    for (const [id, { event }] of this.#open) if (event.subject === callId) this.#open.delete(id);
    const others = this.#dead.filter(({ event }) => event?.subject !== callId);
    this.#dead.splice(0, this.#dead.length, ...others);
  }

  async close(): Promise<void> {
    const consumers = this.#consumers.splice(0);
    await Promise.all(consumers.map(({ worker }) => worker.close(this.#options.closeBoundMs)));
  }

  #deliverAll(): void {
    for (const progress of this.#open.values()) this.#deliver(progress);
  }

  /** Consumers take turns. Without one, the event waits for the next. Does nothing for an event in progress. */
  #deliver({ event }: Progress): void {
    if (this.#consumers.some(({ worker }) => worker.entryIds.includes(event.id))) return;
    const consumer = this.#consumers[this.#next++ % Math.max(1, this.#consumers.length)];
    if (consumer === undefined) return;
    void consumer.worker.take({
      entryId: event.id,
      eventId: event.id,
      // A queue for each type: an event does not wait for one of another type.
      subject: JSON.stringify([event.type, event.subject]),
      callId: event.subject,
      eventJson: JSON.stringify(event),
      handle: (delivery) => dispatch(consumer.handlers, event, delivery),
    });
  }

  #ledger(): EventLedger {
    const { maxAttempts } = this.#options.retry;
    return {
      begin: async (item): Promise<Begun> => {
        const progress = this.#open.get(item.eventId);
        if (progress === undefined) return { state: "done" };
        if (progress.attempts >= maxAttempts)
          return { state: "exhausted", attempts: progress.attempts, reason: progress.reason };
        progress.attempts += 1;
        return { state: "begun", attempt: progress.attempts };
      },
      finish: async (item) => void this.#open.delete(item.eventId),
      fail: async (item, reason) => {
        const progress = this.#open.get(item.eventId);
        if (progress !== undefined) progress.reason = reason;
      },
      deadLetter: async (item, attempts, reason) => this.#deadLetter(item, attempts, reason),
    };
  }

  #deadLetter({ eventId, eventJson }: WorkItem, attempts: number, reason: string): void {
    const event = this.#open.get(eventId)?.event;
    this.#open.delete(eventId);
    this.#dead.unshift({ event, eventJson, reason, attempts, timestampMs: this.#options.clock.wallNow() });
    this.#dead.splice(maxDeadLetters);
  }
}
