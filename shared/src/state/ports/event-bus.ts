/**
 * Work that must not be lost: at least once, to one consumer of each group. A handler that throws is tried again with a
 * growing delay; after `maxAttempts` the event goes to the dead letters with the reason. What a consumer had in hand when
 * its process died is given to another one. Handlers must tolerate a repetition (use `event.id` as the key of the effect);
 * the bus itself never repeats an event whose handler has finished. Each type of event has a queue of its own: an event
 * never waits for one of another type.
 */
import type { DomainEvent, EventDomain, EventsByDomain } from "../../contracts/events/event.ts";

export interface Delivery {
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Aborted when the bus closes; a handler that stops for it is repeated elsewhere. */
  readonly signal: AbortSignal;
}

/** A complete map, so that a new event type does not compile until every subscriber handles it. */
export type EventHandlers<D extends EventDomain> = {
  readonly [T in EventsByDomain[D]["type"]]: (
    event: Extract<EventsByDomain[D], { readonly type: T }>,
    delivery: Delivery,
  ) => Promise<void>;
};

interface DomainSubscription<D extends EventDomain> {
  /** Each group sees every event once; consumers of one group share the work. A constant of the subscriber. */
  readonly group: string;
  readonly domain: D;
  readonly handlers: EventHandlers<D>;
}

export type Subscription = { [D in EventDomain]: DomainSubscription<D> }[EventDomain];

export interface EventSystemHealth {
  readonly isHealthy: boolean;
  /** Handlers with a living consumer, over all processes. */
  readonly handlersCount: number;
  /** Domains that at least one living consumer handles. */
  readonly domainsCount: number;
}

export interface DeadLetter {
  readonly event: DomainEvent | undefined;
  /** The event as it was stored; for those that no longer parse. */
  readonly eventJson: string;
  readonly group: string;
  readonly reason: string;
  readonly attempts: number;
  readonly timestampMs: number;
}

export type Unsubscribe = () => Promise<void>;

export interface EventBus {
  /** Resolves when the event is stored durably. `duplicate`: an event with this id was published before. */
  publish(event: DomainEvent): Promise<"published" | "duplicate">;
  /** The teardown lets running handlers finish within a bound; what they do not finish is given to another consumer. */
  subscribe(subscription: Subscription): Promise<Unsubscribe>;
  /** Never rejects: an unreachable store is `isHealthy: false`. */
  health(): Promise<EventSystemHealth>;
  /** Newest first. */
  deadLetters(limit: number): Promise<readonly DeadLetter[]>;
  close(): Promise<void>;
}
