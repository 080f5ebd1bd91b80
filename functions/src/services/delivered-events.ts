/** Parses deliveries of Event Grid and the communication service into one shape, whatever their schema. */
import { createHash } from "node:crypto";
import type { DeliveredEvent } from "@voice/shared/contracts/http/call-webhooks";
import { freeForm } from "@voice/shared/contracts/http/fields";
import { BadRequestError } from "@voice/shared/platform/errors";
import { parseJson } from "@voice/shared/platform/parse-json";

export interface VendorEvent {
  readonly id: string;
  /** Empty if the sender does not say what the event is. */
  readonly type: string;
  readonly source: string;
  readonly timeMs: number | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

type Header = (name: string) => string | undefined;

/**
 * All forms of the HTTP binding of CloudEvents 1.0 (github.com/cloudevents/spec, bindings/http-protocol-binding.md), which are told
 * apart by the content type, and Event Grid's own schema.
 */
export function toVendorEvents(
  delivery: DeliveredEvent | readonly DeliveredEvent[],
  header: Header = () => undefined,
): VendorEvent[] {
  if (isList(delivery)) return delivery.map(toVendorEvent);
  const isStructured = /^application\/cloudevents/i.test(header("content-type")?.trim() ?? "");
  return [toVendorEvent(isStructured ? delivery : (binaryEvent(delivery, header) ?? delivery))];
}

/** An event without a type must not be acknowledged as processed, because a lost call would go unnoticed. Unknown types are ignored. */
export function requireType(events: readonly VendorEvent[]): void {
  const typeless = events.filter(({ type }) => type === "").length;
  if (typeless === 0) return;
  const which = events.length === 1 ? "The event names" : `${typeless} of ${events.length} events name`;
  const message =
    "Send `eventType` (Event Grid), `type` (CloudEvents) or the header `ce-type` (CloudEvents, binary mode)";
  throw new BadRequestError("validation_error", `${which} no type.`, [{ field: "type", message, code: "missing" }]);
}

function toVendorEvent(event: DeliveredEvent): VendorEvent {
  const data = dataOf(event);
  const type = (event.type ?? event.eventType ?? "").trim();
  const time = Date.parse(event.time ?? event.eventTime ?? "");
  return {
    id: event.id ?? contentId(type, data),
    type,
    source: event.source ?? event.subject ?? "",
    timeMs: Number.isNaN(time) ? undefined : time,
    data,
  };
}

/** The attributes are headers, and the body is the data. */
function binaryEvent(body: DeliveredEvent, header: Header): DeliveredEvent | undefined {
  const attribute = (name: string): string | undefined => decoded(header(`ce-${name}`));
  const type = attribute("type");
  if (type === undefined) return undefined;
  return { id: attribute("id"), type, source: attribute("source"), time: attribute("time"), data: body };
}

/** The binding writes characters that a header cannot have as percent-encoded UTF-8. */
function decoded(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  try {
    return decodeURIComponent(value);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return value; // a sender that does not encode has sent a percent sign
  }
}

function dataOf({ data, data_base64: encoded }: DeliveredEvent): Readonly<Record<string, unknown>> {
  if (typeof data === "object" && data !== null) return data;
  const text = data ?? (encoded == null ? undefined : Buffer.from(encoded, "base64").toString("utf8"));
  // A value that is not an object has none of the fields that an event needs, and the refusal names those.
  return (text === undefined ? undefined : freeForm.safeParse(parseJson(text)).data) ?? {};
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
