/**
 * Events about calls from the control plane to the media plane, including the webhooks that it passes on. Events carry
 * ids, not personal data: numbers and names stay in the call record that `call_id` leads to. `subject` is the call id,
 * and events of one type and subject are handled in the order in which a consumer received them.
 */
import { z } from "zod";

const id = z.string().min(1).max(256);

function eventOf<T extends string, D extends z.ZodType>(type: T, data: D) {
  return z.object({
    /** The idempotency key: a second publication with this id does nothing, and a handler may use it as its own key. */
    id,
    type: z.literal(type),
    /** Who published it: `functions`, a host id, or the vendor's source for a webhook. */
    source: z.string().min(1).max(1024),
    /** ISO 8601, UTC. */
    time: z.iso.datetime(),
    subject: id,
    /** The trace that the event belongs to (W3C Trace Context). For observability only; no decision depends on it. */
    traceparent: z.string().max(64).optional(),
    data,
  });
}

/** `POST /calls/initiate` was accepted: place the call that the record describes. */
export const callInitiationRequested = eventOf("call.initiation-requested", z.object({ call_id: id }));

/** Someone is calling: answer with this context before it expires (the vendor gives about 30 seconds). */
export const callInboundReceived = eventOf(
  "call.inbound-received",
  z.object({ call_id: id, incoming_call_context: z.string().min(1), correlation_id: z.string().optional() }),
);

/** What the telephone service reports, verified and translated (`contracts/calls/call-report.ts`). */
export const callCallbackReceived = eventOf(
  "call.callback-received",
  z.object({
    call_id: id,
    call_connection_id: id,
    /** One of our reports behind the name of the service, for instance `Microsoft.Communication.CallConnected`. */
    callback_type: z.string().min(1),
    payload: z.record(z.string(), z.unknown()),
  }),
);

/** `POST /calls/terminate` was accepted: hang up. */
export const callTerminationRequested = eventOf(
  "call.termination-requested",
  z.object({ call_id: id, call_connection_id: id.optional(), reason: z.string().max(256) }),
);

/** Why a call is ended that no agent can speak to: the communication service plays the farewell. */
export const callFarewells = ["full", "closed", "silent", "too-long"] as const;
export type CallFarewell = (typeof callFarewells)[number];

/** Say these words in the call, then hang up. */
export const callFarewellRequested = eventOf(
  "call.farewell-requested",
  z.object({ call_id: id, farewell: z.enum(callFarewells) }),
);

export const callEvent = z.discriminatedUnion("type", [
  callInitiationRequested,
  callInboundReceived,
  callCallbackReceived,
  callTerminationRequested,
  callFarewellRequested,
]);

export type CallEvent = z.infer<typeof callEvent>;
export type CallEventType = CallEvent["type"];

export const callEventTypes: readonly CallEventType[] = callEvent.options.map(({ shape }) => shape.type.value);
