/**
 * The event bus within one process. Same delivery rules as the Redis one, except that events do not survive the
 * process.
 */
import type { CallEvent } from "../../contracts/events/call-event.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import { dispatch } from "../event-dispatch.ts";
import { EventWorker, type Begun, type EventLedger, type RetryPolicy } from "../event-worker.ts";
import type { DeadLetter, EventBus, EventHandlers } from "../ports/event-bus.ts";
import { ExpiringMap } from "./expiring-map.ts";

/** How long a teardown waits for running handlers. */
const closeBoundMs = 5000;
/** The most dead letters that are stored; the oldest are dropped first. */
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

export function createMemoryEventBus(clock: Clock, logger: Logger, retry: RetryPolicy, eventMs: number): EventBus {
  const published = new ExpiringMap<true>(clock);
  /** The events that are not finished, by event id. */
  const open = new Map<string, Progress>();
  const consumers: Consumer[] = [];
  const dead: DeadLetter[] = [];
  const ledger = createLedger(open, dead, retry, clock);
  let next = 0;
  /** Consumers take turns. Without one, the event waits for the next. Does nothing for an event in progress. */
  const deliver = ({ event }: Progress): void => {
    if (consumers.some(({ worker }) => worker.entryIds.includes(event.id))) return;
    const consumer = consumers[next++ % Math.max(1, consumers.length)];
    if (consumer === undefined) return;
    void consumer.worker.take({
      entryId: event.id,
      eventId: event.id,
      type: event.type,
      // A queue for each type: an event does not wait for one of another type.
      subject: JSON.stringify([event.type, event.subject]),
      callId: event.subject,
      eventJson: JSON.stringify(event),
      handle: (delivery) => dispatch(consumer.handlers, event, delivery),
    });
  };
  const deliverAll = (): void => {
    for (const progress of open.values()) deliver(progress);
  };
  return {
    async publish(event) {
      if (published.has(event.id)) return "duplicate";
      published.set(event.id, true, eventMs);
      const progress = { event: structuredClone(event), attempts: 0, reason: "" };
      open.set(event.id, progress);
      deliver(progress);
      return "published";
    },
    async subscribe(handlers, onGivenUp = () => undefined) {
      const worker = new EventWorker({ ledger, clock, logger, retry, onGivenUp });
      const consumer = { handlers, worker };
      consumers.push(consumer);
      deliverAll();
      return async () => {
        const at = consumers.indexOf(consumer);
        if (at === -1) return;
        consumers.splice(at, 1);
        await worker.close(closeBoundMs);
        deliverAll();
      };
    },
    health: async () => ({
      isHealthy: true,
      handlersCount: consumers.reduce((sum, { handlers }) => sum + Object.keys(handlers).length, 0),
      domainsCount: consumers.length > 0 ? 1 : 0,
    }),
    deadLetters: async (limit) => dead.slice(0, limit),
    async forget(callId) {
      for (const [id, { event }] of open) if (event.subject === callId) open.delete(id);
      const others = dead.filter(({ event }) => event?.subject !== callId);
      dead.splice(0, dead.length, ...others);
    },
    async close() {
      await Promise.all(consumers.splice(0).map(({ worker }) => worker.close(closeBoundMs)));
    },
  };
}

function createLedger(
  open: Map<string, Progress>,
  dead: DeadLetter[],
  { maxAttempts }: RetryPolicy,
  clock: Clock,
): EventLedger {
  return {
    begin: async ({ eventId }): Promise<Begun> => {
      const progress = open.get(eventId);
      if (progress === undefined) return { state: "done" };
      const { attempts, reason } = progress;
      if (attempts >= maxAttempts) return { state: "exhausted", attempts, reason };
      progress.attempts += 1;
      return { state: "begun", attempt: progress.attempts };
    },
    finish: async ({ eventId }) => void open.delete(eventId),
    fail: async ({ eventId }, reason) => {
      const progress = open.get(eventId);
      if (progress !== undefined) progress.reason = reason;
    },
    deadLetter: async ({ eventId, eventJson }, attempts, reason) => {
      const event = open.get(eventId)?.event;
      open.delete(eventId);
      dead.unshift({ event, eventJson, reason, attempts, timestampMs: clock.wallNow() });
      dead.splice(maxDeadLetters);
    },
  };
}
