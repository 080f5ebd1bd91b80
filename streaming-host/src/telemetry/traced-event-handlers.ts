/** Handles each event in a span that belongs to its publisher's trace. */
import type { EventHandlers } from "@voice/shared/state/ports/event-bus";
import type { CallEvent } from "@voice/shared/contracts/events/call-event";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";

export function tracedEventHandlers(handlers: EventHandlers, telemetry: Telemetry): EventHandlers {
  async function traced({ type, data, traceparent }: CallEvent, work: () => Promise<void>): Promise<void> {
    const span = telemetry.span({
      name: `process ${type}`,
      kind: "consumer",
      parent: traceparent,
      attributes: { "messaging.operation.type": "process", "voice.call.id": data.call_id },
    });
    try {
      await work();
    } catch (error) {
      span.fail(toVoiceError(error).code);
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    "call.initiation-requested": (event, delivery) =>
      traced(event, () => handlers["call.initiation-requested"](event, delivery)),
    "call.inbound-received": (event, delivery) =>
      traced(event, () => handlers["call.inbound-received"](event, delivery)),
    "call.callback-received": (event, delivery) =>
      traced(event, () => handlers["call.callback-received"](event, delivery)),
    "call.termination-requested": (event, delivery) =>
      traced(event, () => handlers["call.termination-requested"](event, delivery)),
    "call.farewell-requested": (event, delivery) =>
      traced(event, () => handlers["call.farewell-requested"](event, delivery)),
  };
}
