/**
 * What the control plane asks of the media plane about calls. The streaming hosts hold the calls, so asking means
 * publishing an event durably: any host carries it out, once, even if this process is gone by then.
 */
import type { CallEvent } from "@voice/shared/contracts/events/call-event";
import type { Clock } from "@voice/shared/platform/clock";
import { createUuid } from "@voice/shared/platform/ids";
import type { EventBus } from "@voice/shared/state/ports/event-bus";

export interface CallRequests {
  place(callId: string): Promise<void>;
  answer(inbound: InboundCall): Promise<"requested" | "duplicate">;
  hangUp(request: HangUp): Promise<void>;
  report(callback: Callback): Promise<void>;
}

interface InboundCall {
  readonly callId: string;
  /** Expires about 30 seconds after the caller began to ring. */
  readonly incomingCallContext: string;
  readonly correlationId?: string | undefined;
}

interface HangUp {
  readonly callId: string;
  readonly callConnectionId?: string | undefined;
  readonly reason: string;
}

interface Callback {
  /** The vendor's event id: the same callback is handed on once. */
  readonly eventId: string;
  readonly callId: string;
  readonly callConnectionId: string;
  readonly callbackType: string;
  readonly source: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export function createCallRequests(events: EventBus, clock: Clock): CallRequests {
  const now = (): string => new Date(clock.wallNow()).toISOString();
  const publish = async (event: CallEvent): Promise<"published" | "duplicate"> => events.publish(event);
  return {
    async place(callId) {
      await publish({
        id: `place:${callId}`,
        type: "call.initiation-requested",
        source,
        time: now(),
        subject: callId,
        data: { call_id: callId },
      });
    },
    async answer({ callId, incomingCallContext, correlationId }) {
      const outcome = await publish({
        id: `answer:${callId}`,
        type: "call.inbound-received",
        source,
        time: now(),
        subject: callId,
        data: {
          call_id: callId,
          incoming_call_context: incomingCallContext,
          ...(correlationId === undefined ? {} : { correlation_id: correlationId }),
        },
      });
      return outcome === "published" ? "requested" : "duplicate";
    },
    async hangUp({ callId, callConnectionId, reason }) {
      await publish({
        // Asking twice is asking twice: the first request may have come before there was anything to hang up.
        id: `hang-up:${createUuid()}`,
        type: "call.termination-requested",
        source,
        time: now(),
        subject: callId,
        data: {
          call_id: callId,
          reason,
          ...(callConnectionId === undefined ? {} : { call_connection_id: callConnectionId }),
        },
      });
    },
    async report({ eventId, callId, callConnectionId, callbackType, payload, source: vendorSource }) {
      await publish({
        id: `callback:${eventId}`.slice(0, 256),
        type: "call.callback-received",
        source: vendorSource.slice(0, 1024) || source,
        time: now(),
        subject: callId,
        data: {
          call_id: callId,
          call_connection_id: callConnectionId,
          callback_type: callbackType,
          payload: { ...payload },
        },
      });
    },
  };
}

const source = "functions";
