/**
 * What Twilio asks and reports (twilio.com/docs/usage/webhooks/voice-webhooks): forms, signed with the account's auth token, which are
 * answered with TwiML.
 */
import { z } from "zod";
import { errandKinds, reportSubjects } from "../calls/twilio-webhook-names.ts";
import { defineEndpoint } from "./endpoint.ts";

const twiml = { description: "What Twilio is to do, as TwiML.", contentType: "text/xml; charset=utf-8" };
const problems = ["unauthorized", "dependency_not_ready", "cache_connection_failed"] as const;

const id = z.string().min(1).max(128);
const text = z.string().max(1024).optional();
const number = z.coerce.number().int().optional().catch(undefined);

/** Those that are used; Twilio adds fields at any time. */
const ofCall = { CallSid: z.string().regex(/^CA[0-9a-f]{32}$/i), CallStatus: text };

export const twilioIncomingCall = defineEndpoint({
  name: "twilioVoice",
  at: "POST /calls/twilio/voice",
  access: "twilio",
  summary: "An incoming call at Twilio, which rings until this is answered",
  isForm: true,
  body: z.looseObject({ ...ofCall, From: text, To: text, Called: text }),
  refusesWith400: true,
  responses: { 200: twiml },
  problems: [...problems, "validation_error"],
});

export const twilioNext = defineEndpoint({
  name: "twilioNext",
  at: "POST /calls/twilio/next",
  access: "twilio",
  summary: "Twilio has done what it was told, and asks what comes next",
  isForm: true,
  query: z.object({ after: z.enum(errandKinds), call_id: id, operation: z.string().max(256).optional(), once: text }),
  body: z.looseObject({
    ...ofCall,
    DialCallStatus: text,
    DialCallSid: text,
    DialSipResponseCode: number,
    ErrorCode: number,
  }),
  refusesWith400: true,
  responses: { 200: twiml },
  problems: [...problems, "validation_error"],
});

export const twilioReport = defineEndpoint({
  name: "twilioReports",
  at: "POST /calls/twilio/reports",
  access: "twilio",
  summary: "What happened to a call at Twilio: its status, who answered it, its stream",
  isForm: true,
  query: z.object({ about: z.enum(reportSubjects), call_id: id.optional(), operation: z.string().max(256).optional() }),
  body: z.looseObject({
    ...ofCall,
    SequenceNumber: number,
    Timestamp: text,
    SipResponseCode: number,
    ErrorCode: number,
    AnsweredBy: text,
    StreamEvent: text,
    StreamSid: text,
    ParentCallSid: text,
  }),
  refusesWith400: true,
  responses: { 204: { description: "Noted." } },
  problems: [...problems, "validation_error"],
});
