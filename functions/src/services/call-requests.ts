/**
 * Requests of the control plane to the media plane about calls. The streaming hosts hold the calls, so a request is a
 * durably published event: one host carries it out once, even if this process is gone by then.
 */
import type { CallEvent } from "@voice/shared/contracts/events/call-event";
import type { Clock } from "@voice/shared/platform/clock";
import { createUuid } from "@voice/shared/platform/ids";
import type { EventBus } from "@voice/shared/state/ports/event-bus";

export type CallRequests = ReturnType<typeof createCallRequests>;

interface InboundCall {
  readonly callId: string;
  /** Expires about 30 seconds after the caller began to ring. */
  readonly incomingCallContext: string;
  readonly correlationId?: string | undefined;
  readonly traceparent: string | undefined;
}

interface HangUp {
  readonly callId: string;
  readonly callConnectionId?: string | undefined;
  readonly reason: string;
  readonly traceparent: string | undefined;
}

interface Callback {
  /** The vendor's event id: the same callback of the same call is handed on once. */
  readonly eventId: string;
  readonly callId: string;
  readonly callConnectionId: string;
  readonly callbackType: string;
  readonly source: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly traceparent: string | undefined;
}

export function createCallRequests(events: EventBus, clock: Clock) {
  const aboutCall = (subject: string, traceparent: string | undefined) => {
    return { source, time: new Date(clock.wallNow()).toISOString(), subject, traceparent };
  };
  const publish = (event: CallEvent) => events.publish(event);
  return {
    async place(callId: string, traceparent: string | undefined): Promise<void> {
      await publish({
        id: `place:${callId}`,
        type: "call.initiation-requested",
        ...aboutCall(callId, traceparent),
        data: { call_id: callId },
      });
    },
    async answer({ callId, incomingCallContext, correlationId, traceparent }: InboundCall) {
      const outcome = await publish({
        id: `answer:${callId}`,
        type: "call.inbound-received",
        ...aboutCall(callId, traceparent),
        data: {
          call_id: callId,
          incoming_call_context: incomingCallContext,
          ...(correlationId === undefined ? {} : { correlation_id: correlationId }),
        },
      });
      return outcome === "published" ? ("requested" as const) : outcome;
    },
    async hangUp({ callId, callConnectionId, reason, traceparent }: HangUp): Promise<void> {
      await publish({
        // Each request gets its own id, because an earlier one may have come before there was anything to hang up.
        id: `hang-up:${createUuid()}`,
        type: "call.termination-requested",
        ...aboutCall(callId, traceparent),
        data: {
          call_id: callId,
          reason,
          ...(callConnectionId === undefined ? {} : { call_connection_id: callConnectionId }),
        },
      });
    },
    async report({
      source: vendorSource,
      eventId,
      callId,
      callbackType,
      traceparent,
      ...callback
    }: Callback): Promise<void> {
      await publish({
        // The service's ids are unique for each call, which is its events' source.
        id: `callback:${callId}:${eventId}`.slice(0, 256),
        type: "call.callback-received",
        ...aboutCall(callId, traceparent),
        source: vendorSource.slice(0, 1024) || source,
        data: {
          call_id: callId,
          call_connection_id: callback.callConnectionId,
          callback_type: callbackType,
          payload: { ...callback.payload },
        },
      });
    },
  };
}

const source = "functions";
