/**
 * Call events, which must not be lost: each goes to one consumer, at least once. A handler that throws is tried again with a
 * growing delay; after `maxAttempts` the event goes to the dead letters with the reason. What a consumer had in hand when
 * its process died is given to another one. Handlers must tolerate a repetition (use `event.id` as the key of the effect);
 * the bus itself never repeats an event whose handler has finished. Each type of event has a queue of its own: an event
 * never waits for one of another type.
 */
import type { CallEvent, CallEventType } from "../../contracts/events/call-event.ts";

export interface Delivery {
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Aborted when the bus closes; a handler that stops for it is repeated elsewhere. */
  readonly signal: AbortSignal;
}

/** A complete map, so that a new type of event does not compile until every consumer handles it. */
export type EventHandlers = {
  readonly [T in CallEventType]: (event: Extract<CallEvent, { readonly type: T }>, delivery: Delivery) => Promise<void>;
};

export interface EventSystemHealth {
  readonly isHealthy: boolean;
  /** Handlers with a living consumer, over all processes. */
  readonly handlersCount: number;
  /** Kinds of events that at least one living consumer handles: 1 for those of calls, or none. */
  readonly domainsCount: number;
}

export interface DeadLetter {
  readonly event: CallEvent | undefined;
  /** The event as it was stored; for those that no longer parse. */
  readonly eventJson: string;
  readonly reason: string;
  readonly attempts: number;
  readonly timestampMs: number;
}

/** An event of this type was moved to the dead letters: no attempt to handle it succeeded. */
export type OnGivenUp = (type: CallEventType) => void;

export type Unsubscribe = () => Promise<void>;

export interface EventBus {
  /** Resolves when the event is stored durably. `duplicate`: an event with this id was published before. */
  publish(event: CallEvent): Promise<"published" | "duplicate">;
  /** The teardown lets running handlers finish within a bound; what they do not finish is given to another consumer. */
  subscribe(handlers: EventHandlers, onGivenUp?: OnGivenUp): Promise<Unsubscribe>;
  /** Never rejects: an unreachable store is `isHealthy: false`. */
  health(): Promise<EventSystemHealth>;
  /** Newest first. */
  deadLetters(limit: number): Promise<readonly DeadLetter[]>;
  /**
   * Deletes what is stored of a call's events: those that nobody has handled yet, and those that nobody could handle. A handled event is
   * deleted when its handler has finished. Idempotent.
   */
  forget(callId: string): Promise<void>;
  close(): Promise<void>;
}
