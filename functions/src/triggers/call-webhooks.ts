/** Webhooks of Event Grid and the communication service. */
import { inboundDelivery } from "@voice/shared/calls/azure/azure-event";
import {
  answerHandshake,
  type AnswerStatus,
  callbackHandshake,
  deliverIncomingCalls,
  receiveCallbacks,
} from "@voice/shared/contracts/http/call-webhooks";
import { apiVersionName } from "@voice/shared/contracts/http/endpoint";
import { BadRequestError } from "@voice/shared/platform/errors";
import type { StreamingMode } from "@voice/shared/state/ports/session-store";
import { answer, route, type RequestInfo, type Route } from "../http/route.ts";
import { processCallbacks } from "../services/call-callbacks.ts";
import { requireType, toVendorEvents, type VendorEvent } from "../services/delivered-events.ts";
import { fleetOrNone } from "../services/fleet.ts";
import {
  incomingCallType,
  receiveInboundCalls,
  subscriptionValidationType,
  type InboundOutcome,
} from "../services/inbound-calls.ts";

/** The component that runs a call's conversation, by the call's mode. */
const orchestrators: Readonly<Record<StreamingMode, string>> = {
  MEDIA: "cascade",
  REALTIME: "cascade",
  TRANSCRIPTION: "transcription",
  VOICE_LIVE: "voice_live",
};

export const callWebhookRoutes: readonly Route[] = [
  answer(deliverIncomingCalls)(async ({ body, request }, dependencies) => {
    const events = toVendorEvents(body, (name) => request.header(name));
    const { callRequests, releases, clock, heartbeatReading, settings, state } = dependencies;
    const incoming = events.filter((event) => event.type === incomingCallType);
    const { traceparent } = request;
    const [calls, fleet] = await Promise.all([
      receiveInboundCalls(incoming, { calls: state.calls, callRequests, releases, clock, settings, traceparent }),
      fleetOrNone(state.hosts, heartbeatReading),
    ]);
    // The calls that it came with ring, so they are dealt with first.
    const validation = events.find((event) => event.type === subscriptionValidationType);
    if (validation !== undefined) return { validationResponse: validationCodeOf(validation) };
    requireType(events);
    return {
      status: describeInbound(calls),
      calls,
      orchestrator: orchestrators[settings.streamingMode],
      comm_features: {
        orchestrator_support: fleet.status !== "unavailable",
        advanced_tracing: fleet.hasTracing,
        api_version: apiVersionName,
      },
    };
  }),

  answer(receiveCallbacks)(async ({ body, request }, { callRequests, clock, logger, state }) => {
    const events = toVendorEvents(body, (name) => request.header(name));
    if (events.every(({ type }) => type === "")) requireType(events);
    const headerConnectionId = request.header("x-ms-call-connection-id");
    const outcome = await processCallbacks(events, headerConnectionId, {
      calls: state.calls,
      callOperations: state.callOperations,
      callRequests,
      clock,
      logger,
      traceparent: request.traceparent,
    });
    return {
      status: "success",
      processed_events: outcome.processed,
      failed_events: outcome.failed,
      call_connection_id: outcome.callConnectionId ?? null,
      processing_system: "events_v1",
    };
  }),

  route(answerHandshake)(({ request }) => Promise.resolve({ status: 200, headers: handshakeHeaders(request) })),
  route(callbackHandshake)(({ request }) => Promise.resolve({ status: 200, headers: handshakeHeaders(request) })),
];

function validationCodeOf({ data }: VendorEvent): string {
  const { validationCode: code } = inboundDelivery.parse(data);
  if (code !== undefined) return code;
  throw new BadRequestError("validation_error", "The subscription validation carries no code.", [
    { field: "data.validationCode", message: "Field required", code: "missing" },
  ]);
}

/** The calls are not answered yet: a streaming host answers them and logs that for each. */
function describeInbound({ asked, duplicates }: InboundOutcome): AnswerStatus {
  if (asked > 0) return "asked to answer";
  return duplicates > 0 ? "asked to answer before" : "no events processed";
}

/**
 * CloudEvents' abuse protection: the sender names itself and asks for permission, which is always granted, because
 * deliveries are authenticated anyway.
 */
function handshakeHeaders(request: RequestInfo): Record<string, string> {
  const origin = request.header("webhook-request-origin");
  const allow = { allow: "POST, OPTIONS" };
  if (origin === undefined) return allow;
  return { ...allow, "webhook-allowed-origin": origin, "webhook-allowed-rate": "*" };
}
