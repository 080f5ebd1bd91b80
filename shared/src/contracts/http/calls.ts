/** Placing, listing and ending calls. The webhooks are in call-webhooks.ts. */
import { z } from "zod";
import { callLogMessage } from "../calls/call-log.ts";
import { callOutcomes } from "../calls/call-outcome.ts";
import { callStatuses } from "../calls/call-status.ts";
import { costField } from "./costs.ts";
import { defineEndpoint } from "./endpoint.ts";
import {
  freeForm,
  idField,
  languageField,
  nameField,
  phoneNumberField,
  queryInteger,
  querySearch,
  queryTime,
  timestampField,
  timeZoneField,
  streamingModeNames,
} from "./fields.ts";

export const callDirections = ["inbound", "outbound"] as const;

/** Upstream's clients write the mode in small letters. */
export const streamingModeField = z.preprocess(
  (value) => (typeof value === "string" ? value.toUpperCase() : value),
  z.enum(streamingModeNames),
);

const maxContextCharacters = 16_384;

const callContext = freeForm.refine(
  (context) => JSON.stringify(context).length <= maxContextCharacters,
  `At most ${maxContextCharacters} characters of JSON`,
);

const optional = {
  scenario: nameField.nullish().describe("What the call is about; the service's setting where absent."),
  caller_id: phoneNumberField.nullish().describe("Displayed caller id; the system's number where absent."),
  agent: nameField.nullish().describe("Who takes the call; the scenario's start agent where absent."),
  context: callContext
    .nullish()
    .describe("Free-form call metadata. The agent knows it: prompts and greetings may use it as `context`."),
  language: languageField
    .nullish()
    .describe("What agents hear and speak that name no language; the scenario's or the service's where absent."),
  time_zone: timeZoneField.nullish().describe("Where the other side is; the scenario's or the service's where absent."),
  streaming_mode: streamingModeField
    .nullish()
    .describe(
      "How the call's audio is handled. Where absent: the mode that `context.streaming_mode` names, or the service's setting.",
    ),
  record_call: z.boolean().nullish().describe("Records this call, or not; the service's setting where absent."),
  voicemail: z
    .enum(["ignore", "hang-up", "message"])
    .nullish()
    .describe("What to do when an answering machine takes the call; the service's setting where absent."),
};

export const callInitiateRequest = z
  .strictObject({
    target_number: phoneNumberField.describe("E.164: `+`, then 2 to 15 digits, the first of them not 0."),
    ...optional,
  })
  .meta({ id: "CallInitiateRequest" });

export const callInitiateByPhoneNumber = z
  .strictObject({
    phone_number: phoneNumberField.describe("The same as `target_number`, as the second published shape names it."),
    ...optional,
  })
  .meta({ id: "CallInitiateByPhoneNumber" });

export const callInitiateResponse = z
  .object({
    call_id: z.string(),
    status: z.enum(callStatuses),
    target_number: z.string(),
    message: z.string(),
  })
  .meta({ id: "CallInitiateResponse" });

const participant = z
  .object({
    id: z.string(),
    phone_number: z.string().nullable(),
    role: z
      .string()
      .describe("`caller` of an inbound call, `callee` of an outbound one, `participant` for anybody else."),
    status: z.string().describe("`connected`, `on_hold` or `muted`; `disconnected` once the call is over."),
  })
  .meta({ id: "CallParticipant" });

const callEvent = z.intersection(callLogMessage, z.object({ timestamp: z.string() })).meta({ id: "CallHistoryEvent" });

const callFailure = z
  .object({
    code: z
      .string()
      .describe(
        "Such as `busy`, `declined`, `no_answer`, `pstn_number_invalid`, `cancelled`, `caller_gone`, `network_failed`, `not_permitted`, `not_configured`, `not_found`, `request_refused`, `all_places_taken`, `call_failed`.",
      ),
    reason: z.string().describe("The same in words."),
    service_code: z
      .number()
      .nullable()
      .describe("The code with which the communication service reported the end; null where it reported none."),
    service_sub_code: z.number().nullable().describe("Likewise, its sub-code."),
  })
  .meta({ id: "CallFailure" });

export const callStatusResponse = z
  .object({
    call_id: z.string(),
    session_id: z.string().describe("The conversation that the call carries; there is none before it is connected."),
    status: z.enum(callStatuses),
    outcome: z
      .enum(callOutcomes)
      .describe("What became of it: `completed` where it was talked on, `failed` where another failure is the reason."),
    direction: z.enum(callDirections),
    target_number: z
      .string()
      .nullable()
      .describe("Who is called, in E.164: of an inbound call, the service. Null where that is no phone number."),
    target_raw_id: z
      .string()
      .nullable()
      .describe("Who is called by an inbound call, as the communication service identifies them: `4:+…`, `8:orgid:…`."),
    caller_number: z
      .string()
      .nullable()
      .describe("Who calls, in E.164; null where it is the service's own number, is hidden, or is no phone number."),
    caller_raw_id: z
      .string()
      .nullable()
      .describe("Who calls, as the communication service identifies them: `4:anonymous` where the number is hidden."),
    scenario: z.string().nullable().describe("What the call is about; null where the service's setting says it."),
    created_at: timestampField,
    failure: callFailure
      .nullable()
      .describe("Why the call has failed, or nobody could talk with the caller; null where neither is so."),
    end_reason: z
      .string()
      .nullable()
      .describe(
        "Why a call that was talked on is over, such as `caller_left`, `transferred` or `operator`; null before, and where it failed.",
      ),
    cost: costField,
    duration: z.int().nullable().describe("Seconds since the call was connected; null before."),
    participants: z.array(participant),
    events: z.array(callEvent),
  })
  .meta({ id: "CallStatusResponse" });

export const callListResponse = z
  .object({
    calls: z.array(callStatusResponse),
    total: z.int(),
    page: z.int().default(1),
    limit: z.int().default(10),
  })
  .meta({ id: "CallListResponse" });

const terminateOptions = {
  session_id: idField
    .nullish()
    .describe("The conversation that the call is to carry; refused where it carries another."),
  reason: z.string().trim().min(1).max(256).nullish().describe("Kept with the call; `normal` where absent."),
};

export const callTerminateRequest = z
  .strictObject({ connection_id: idField, ...terminateOptions })
  .meta({ id: "CallTerminateRequest" });

const callTerminateByCallId = z
  .strictObject({ call_id: idField.describe("For older clients."), ...terminateOptions })
  .meta({ id: "CallTerminateByCallId" });

export const callTerminateResponse = z
  .object({
    call_id: z.string(),
    connection_id: z.string().nullable(),
    status: z.literal("terminated"),
    message: z.string(),
  })
  .meta({ id: "CallTerminateResponse" });

export const initiateCall = defineEndpoint({
  name: "callsInitiate",
  at: "POST /calls/initiate",
  access: "client",
  summary: "Places a call",
  description:
    "Records the call, publishes the initiation event durably and answers at once with `initiating`; the call is " +
    "established asynchronously. Where `CALL_ROLE` is set, the token needs that app role. `CALL_ALLOWED_DESTINATIONS` says " +
    "where calls may go (403), and `MAX_CALLS_PER_HOUR` and its like how many there may be (429).",
  headers: {
    "Idempotency-Key":
      "Names this request, for a day: sent again with the same body it is answered again and places no second call; " +
      "with another body it is refused with 409.",
  },
  body: z.union([callInitiateRequest, callInitiateByPhoneNumber]),
  responses: { 200: { description: "The call is being placed.", schema: callInitiateResponse } },
  problems: [
    "pstn_number_invalid",
    "cache_connection_failed",
    "validation_error",
    "conflict",
    "dependency_not_ready",
    "rate_limited",
  ],
});

export const listCalls = defineEndpoint({
  name: "callsList",
  at: "GET /calls/",
  access: "client",
  summary: "Lists calls, newest first",
  query: z.object({
    limit: queryInteger({ min: 1, max: 100, default: 10, description: "Calls per page." }),
    page: queryInteger({ min: 1, max: 1_000_000, default: 1, description: "1-based." }),
    status_filter: z.enum(callStatuses).optional().describe("Only calls in this status."),
    outcome: z
      .enum(callOutcomes)
      .optional()
      .describe("Only calls with this outcome; not together with `status_filter`."),
    direction: z.enum(callDirections).optional().describe("Only calls in this direction."),
    from: queryTime("Only calls created at this time or later."),
    to: queryTime("Only calls created before this time."),
    search: querySearch(
      "Only the calls with this number at the far end (E.164), or the one with this id: ours, the communication service's, or its conversation's.",
    ),
  }),
  responses: { 200: { description: "One page.", schema: callListResponse } },
  problems: ["cache_connection_failed"],
});

export const terminateCall = defineEndpoint({
  name: "callsTerminate",
  at: "POST /calls/terminate",
  access: "client",
  summary: "Ends a call",
  body: z.union([callTerminateRequest, callTerminateByCallId]),
  responses: { 200: { description: "The hang-up was requested.", schema: callTerminateResponse } },
  problems: ["call_not_found", "conflict", "cache_connection_failed"],
});

export const deleteCall = defineEndpoint({
  name: "callsDelete",
  at: "DELETE /calls/{call_id}",
  access: "client",
  summary: "Forgets whom a call connected",
  description:
    "Of a call that is over: both numbers and identifiers, the participants and the context. That there was a call stays until its record ends. `DELETE /sessions/{id}` does the same with the call of its conversation.",
  params: z.object({ call_id: idField }),
  responses: {
    200: {
      description: "They are forgotten.",
      schema: z.object({ status: z.literal("success"), call_id: z.string() }).meta({ id: "CallDeleteResponse" }),
    },
  },
  problems: ["call_not_found", "conflict", "cache_connection_failed"],
});
