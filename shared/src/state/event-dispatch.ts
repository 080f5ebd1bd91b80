/** Calls a subscription's handler for an event, preserving the event's type. */
import type { DomainEvent } from "../contracts/events/event.ts";
import { VoiceError } from "../platform/errors.ts";
import type { Delivery, Subscription } from "./ports/event-bus.ts";

export function dispatch(subscription: Subscription, event: DomainEvent, delivery: Delivery): Promise<void> {
  const { handlers } = subscription;
  switch (event.type) {
    case "call.initiation-requested":
      return handlers[event.type](event, delivery);
    case "call.inbound-received":
      return handlers[event.type](event, delivery);
    case "call.callback-received":
      return handlers[event.type](event, delivery);
    case "call.termination-requested":
      return handlers[event.type](event, delivery);
    case "call.farewell-requested":
      return handlers[event.type](event, delivery);
    default:
      event satisfies never;
      throw new VoiceError("internal_error", "an event of an unknown type");
  }
}
