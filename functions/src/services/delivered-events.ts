/** Parses deliveries of Event Grid and the communication service into one shape, whatever their schema. */
import { createHash } from "node:crypto";
import type { DeliveredEvent } from "@voice/shared/contracts/http/call-webhooks";

export interface VendorEvent {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly timeMs: number | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

export function toVendorEvents(delivery: DeliveredEvent | readonly DeliveredEvent[]): VendorEvent[] {
  return (isList(delivery) ? delivery : [delivery]).map((event) => {
    const data = event.data ?? {};
    const type = event.type ?? event.eventType ?? "";
    const time = Date.parse(event.time ?? event.eventTime ?? "");
    return {
      id: event.id ?? contentId(type, data),
      type,
      source: event.source ?? event.subject ?? "",
      timeMs: Number.isNaN(time) ? undefined : time,
      data,
    };
  });
}

/** For senders that send no id: a repeated delivery has the same content. */
function contentId(type: string, data: Readonly<Record<string, unknown>>): string {
  return createHash("sha256")
    .update(JSON.stringify([type, data]))
    .digest("base64url");
}

function isList(delivery: DeliveredEvent | readonly DeliveredEvent[]): delivery is readonly DeliveredEvent[] {
  return Array.isArray(delivery);
}
