/** Calls the handler for an event, preserving the event's type. */
import type { CallEvent } from "../contracts/events/call-event.ts";
import { VoiceError } from "../platform/errors.ts";
import type { Delivery, EventHandlers } from "./ports/event-bus.ts";

export function dispatch(handlers: EventHandlers, event: CallEvent, delivery: Delivery): Promise<void> {
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
