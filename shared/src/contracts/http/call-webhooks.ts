/** Webhooks of the communication service and of Event Grid. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { freeForm } from "./fields.ts";

/** A field that cannot be read counts as absent, because a refused delivery is not sent again, with all its events. */
const whereValid = <T extends z.ZodType>(schema: T) => schema.nullish().catch(undefined);

/**
 * Vendors' payloads: only what is used is described, and everything else passes. The envelope is Event Grid's own schema
 * (`eventType`) or CloudEvents 1.0 (`type`), one event or an array; or the attributes of one CloudEvent are the headers
 * `ce-type`, `ce-id` and so on (its binary mode), and the body is its data.
 */
export const deliveredEvent = z
  .looseObject({
    id: whereValid(z.string().max(256)),
    type: whereValid(z.string()).describe("CloudEvents."),
    eventType: whereValid(z.string()).describe("Event Grid's own schema."),
    source: whereValid(z.string()),
    subject: whereValid(z.string()),
    time: whereValid(z.string()),
    eventTime: whereValid(z.string()),
    data: whereValid(z.union([freeForm, z.string()])).describe("The event's data, as an object or as JSON text."),
    data_base64: whereValid(z.string()).describe("CloudEvents: JSON text in base64, in place of `data`."),
  })
  .meta({ id: "DeliveredEvent" });

export type DeliveredEvent = z.infer<typeof deliveredEvent>;

/** Event Grid never sends more than 5,000 events or 1 MB at once. */
const deliveredEvents = z.union([z.array(deliveredEvent.catch({})).max(5000), deliveredEvent]);

export const commFeatures = z.object({
  orchestrator_support: z.boolean().describe("Whether a streaming host is there to answer."),
  advanced_tracing: z.boolean().describe("Whether a trace of every turn is collected."),
  api_version: z.string(),
});

const answerStatus = z.enum(["asked to answer", "asked to answer before", "no events processed"]);

export type AnswerStatus = z.infer<typeof answerStatus>;

export const answerResponse = z
  .object({
    status: answerStatus.describe("A streaming host is asked to answer; `GET /calls/` says whether it has."),
    calls: z.object({
      asked: z.int().describe("Calls that are asked for now."),
      duplicates: z.int().describe("Calls that an earlier delivery has asked for."),
    }),
    orchestrator: z.string(),
    comm_features: commFeatures,
  })
  .meta({ id: "AnswerResponse" });

export const subscriptionValidationResponse = z
  .object({ validationResponse: z.string() })
  .meta({ id: "SubscriptionValidationResponse" });

export const callbackResponse = z
  .object({
    status: z.literal("success"),
    processed_events: z.int(),
    failed_events: z.int().describe("Events of calls that are not ours, and events that can never be applied."),
    call_connection_id: z.string().nullable(),
    processing_system: z.string(),
  })
  .meta({ id: "CallbackResponse" });

/** The header `x-webhook-secret` is an alternative. */
const proof = z.object({
  secret: z.string().optional().describe("COMM_WEBHOOK_SECRET; not needed with a token of the service."),
});

export const deliverIncomingCalls = defineEndpoint({
  name: "callsAnswer",
  at: "POST /calls/answer",
  access: "event-grid",
  summary: "Inbound calls and subscription validation, from the event delivery",
  query: proof,
  body: deliveredEvents,
  refusesWith400: true,
  responses: {
    200: {
      description: "A streaming host is asked to answer the calls, or the subscription is validated.",
      schema: z.union([answerResponse, subscriptionValidationResponse]),
    },
  },
  problems: ["validation_error", "dependency_not_ready", "cache_connection_failed"],
});

/** Open to everybody, because the deliveries themselves are authenticated. */
export const answerHandshake = defineEndpoint({
  name: "callsAnswerHandshake",
  at: "OPTIONS /calls/answer",
  access: "open",
  summary: "The CloudEvents handshake of the event delivery",
  responses: { 200: { description: "The origin may deliver events." } },
});

export const callbackHandshake = defineEndpoint({
  name: "callsCallbacksHandshake",
  at: "OPTIONS /calls/callbacks",
  access: "open",
  summary: "The CloudEvents handshake of the event delivery",
  responses: { 200: { description: "The origin may deliver events." } },
});

export const receiveCallbacks = defineEndpoint({
  name: "callsCallbacks",
  at: "POST /calls/callbacks",
  access: "call-automation",
  summary: "What happened in a call: connection, participants, media, transfer",
  query: proof,
  body: deliveredEvents,
  refusesWith400: true,
  responses: { 200: { description: "Processed.", schema: callbackResponse } },
  problems: ["validation_error", "dependency_not_ready", "cache_connection_failed"],
});
