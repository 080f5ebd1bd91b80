/**
 * The event bus within one process. Same delivery rules as the Redis one, except that events do not survive the
 * process.
 */
import { domainByType, type DomainEvent, type EventDomain } from "../../contracts/events/event.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import { dispatch } from "../event-dispatch.ts";
import { EventWorker, type Begun, type EventLedger, type RetryPolicy, type WorkItem } from "../event-worker.ts";
import type { DeadLetter, EventBus, EventSystemHealth, Subscription, Unsubscribe } from "../ports/event-bus.ts";
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
  readonly event: DomainEvent;
  attempts: number;
  reason: string;
}

interface Consumer {
  readonly subscription: Subscription;
  readonly worker: EventWorker;
}

/** One group: its unfinished events and its consumers. */
interface Group {
  readonly name: string;
  readonly domain: EventDomain;
  readonly open: Map<string, Progress>;
  readonly consumers: Consumer[];
  next: number;
}

export class MemoryEventBus implements EventBus {
  readonly #options: MemoryEventBusOptions;
  readonly #published: ExpiringMap<DomainEvent>;
  readonly #groups = new Map<string, Group>();
  readonly #dead: DeadLetter[] = [];

  constructor(options: MemoryEventBusOptions) {
    this.#options = options;
    this.#published = new ExpiringMap(options.clock);
  }

  async publish(event: DomainEvent): Promise<"published" | "duplicate"> {
    if (this.#published.has(event.id)) return "duplicate";
    const kept = structuredClone(event);
    this.#published.set(event.id, kept, this.#options.eventMs);
    for (const group of this.#groups.values())
      if (group.domain === domainByType[event.type]) this.#deliver(group, this.#open(group, kept));
    return "published";
  }

  async subscribe(subscription: Subscription): Promise<Unsubscribe> {
    const group = this.#group(subscription);
    const worker = new EventWorker({ ...this.#options, ledger: this.#ledger(group) });
    const consumer = { subscription, worker };
    group.consumers.push(consumer);
    for (const progress of group.open.values()) this.#deliver(group, progress);
    return async () => {
      const at = group.consumers.indexOf(consumer);
      if (at === -1) return;
      group.consumers.splice(at, 1);
      await worker.close(this.#options.closeBoundMs);
      for (const progress of group.open.values()) this.#deliver(group, progress);
    };
  }

  async health(): Promise<EventSystemHealth> {
    const consumers = [...this.#groups.values()].flatMap((group) => group.consumers);
    return {
      isHealthy: true,
      handlersCount: consumers.reduce((sum, { subscription }) => sum + Object.keys(subscription.handlers).length, 0),
      domainsCount: new Set(consumers.map(({ subscription }) => subscription.domain)).size,
    };
  }

  async deadLetters(limit: number): Promise<readonly DeadLetter[]> {
    return this.#dead.slice(0, limit);
  }

  async close(): Promise<void> {
    const consumers = [...this.#groups.values()].flatMap((group) => group.consumers.splice(0));
    await Promise.all(consumers.map(({ worker }) => worker.close(this.#options.closeBoundMs)));
  }

  /** A new group starts with everything that was published and has not expired. */
  #group({ group: name, domain }: Subscription): Group {
    const key = `${name}/${domain}`;
    const existing = this.#groups.get(key);
    if (existing !== undefined) return existing;
    const created: Group = { name, domain, open: new Map(), consumers: [], next: 0 };
    this.#groups.set(key, created);
    for (const event of this.#published.values()) if (domainByType[event.type] === domain) this.#open(created, event);
    return created;
  }

  #open(group: Group, event: DomainEvent): Progress {
    const progress: Progress = { event, attempts: 0, reason: "" };
    group.open.set(event.id, progress);
    return progress;
  }

  /**
   * Consumers take turns. Without one, the event waits for the next subscription. Does nothing for an event in
   * progress.
   */
  #deliver(group: Group, { event }: Progress): void {
    if (group.consumers.some(({ worker }) => worker.entryIds.includes(event.id))) return;
    const turn = group.next++ % Math.max(1, group.consumers.length);
    const inTurn = [...group.consumers.slice(turn), ...group.consumers.slice(0, turn)];
    const [consumer] = inTurn;
    if (consumer === undefined) return;
    void consumer.worker.take({
      entryId: event.id,
      eventId: event.id,
      // A queue for each type: an event does not wait for one of another type.
      subject: JSON.stringify([event.type, event.subject]),
      callId: event.subject,
      eventJson: JSON.stringify(event),
      handle: (delivery) => dispatch(consumer.subscription, event, delivery),
    });
  }

  #ledger(group: Group): EventLedger {
    const { maxAttempts } = this.#options.retry;
    return {
      async begin(item): Promise<Begun> {
        const progress = group.open.get(item.eventId);
        if (progress === undefined) return { state: "done" };
        if (progress.attempts >= maxAttempts)
          return { state: "exhausted", attempts: progress.attempts, reason: progress.reason };
        progress.attempts += 1;
        return { state: "begun", attempt: progress.attempts };
      },
      async finish(item) {
        group.open.delete(item.eventId);
      },
      async fail(item, reason) {
        const progress = group.open.get(item.eventId);
        if (progress !== undefined) progress.reason = reason;
      },
      deadLetter: async (item, attempts, reason) => this.#deadLetter(group, item, attempts, reason),
    };
  }

  #deadLetter(group: Group, item: WorkItem, attempts: number, reason: string): void {
    const event = group.open.get(item.eventId)?.event;
    group.open.delete(item.eventId);
    const { eventJson } = item;
    const timestampMs = this.#options.clock.wallNow();
    this.#dead.unshift({ event, eventJson, group: group.name, reason, attempts, timestampMs });
    this.#dead.splice(maxDeadLetters);
  }
}
