/** Every internal event, by domain. A new domain is a line in `EventsByDomain`, `eventDomains` and `domainByType`. */
import { callEvent, type CallEvent } from "./call-event.ts";

export interface EventsByDomain {
  readonly call: CallEvent;
}

export type EventDomain = keyof EventsByDomain;
export type DomainEvent = EventsByDomain[EventDomain];
export type EventType = DomainEvent["type"];

export const eventDomains = ["call"] as const satisfies readonly EventDomain[];

export const domainByType: Readonly<Record<EventType, EventDomain>> = {
  "call.initiation-requested": "call",
  "call.inbound-received": "call",
  "call.callback-received": "call",
  "call.termination-requested": "call",
  "call.farewell-requested": "call",
};

/** The types of a domain's events. */
export function eventTypesOf(domain: EventDomain): readonly EventType[] {
  return domainEvent.options.map(({ shape }) => shape.type.value).filter((type) => domainByType[type] === domain);
}

/** Reads an event of any domain back from the wire. */
export const domainEvent = callEvent;
