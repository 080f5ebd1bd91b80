/** Operators' requests about a running conversation. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { idField, phoneNumberField } from "./fields.ts";

const params = z.object({ session_id: idField });

export const sayRequest = z
  .strictObject({ text: z.string().trim().min(1).max(1000).describe("What the agent says, word for word.") })
  .meta({ id: "SessionSayRequest" });

export const transferRequest = z
  .strictObject({ target_number: phoneNumberField.describe("E.164; the number that the caller is connected to.") })
  .meta({ id: "SessionTransferRequest" });

export const handBackRequest = z
  .strictObject({
    notes: z.string().trim().max(2000).optional().describe("For the agent that continues, and for the history."),
  })
  .meta({ id: "SessionHandBackRequest" });

export const holdRequest = z
  .strictObject({ on: z.boolean().describe("True: the caller hears a hold sound, and not the person.") })
  .meta({ id: "SessionHoldRequest" });

export const keysRequest = z
  .strictObject({
    keys: z
      .string()
      .regex(/^[\d*#A-D]{1,32}$/)
      .describe("Keys of a telephone, which the far end hears as tones."),
  })
  .meta({ id: "SessionKeysRequest" });

export const sayResponse = z
  .object({
    session_id: z.string(),
    status: z.literal("requested"),
    message: z.string(),
    line_id: z.string().describe("Events `operator` for those who watch say under this id what became of the line."),
  })
  .meta({ id: "SessionSayResponse" });

export const operatorResponse = z
  .object({ session_id: z.string(), status: z.literal("requested"), message: z.string() })
  .meta({ id: "OperatorResponse" });

const common = {
  access: "client",
  params,
  problems: ["not_found", "session_expired", "conflict", "cache_connection_failed"],
} as const;

const responses = {
  202: { description: "The host that holds the conversation was asked.", schema: operatorResponse },
} as const;

export const saySession = defineEndpoint({
  ...common,
  responses: { 202: { description: "The host that holds the conversation was asked.", schema: sayResponse } },
  name: "sessionsSay",
  at: "POST /sessions/{session_id}/say",
  summary: "Has the agent say a line, when nobody speaks",
  description:
    "For operators. The line is said after the answer to a caller who speaks first. 409 where no host holds the conversation, or where nobody speaks in it (TRANSCRIPTION).",
  body: sayRequest,
});

export const endSession = defineEndpoint({
  ...common,
  responses,
  name: "sessionsEnd",
  at: "POST /sessions/{session_id}/end",
  summary: "Has the agent say goodbye and ends the conversation",
  description:
    "For the session's owner and for operators. Where nobody speaks (TRANSCRIPTION), it ends without a goodbye. 409 where no host holds the conversation.",
});

export const transferSession = defineEndpoint({
  ...common,
  responses,
  name: "sessionsTransfer",
  at: "POST /sessions/{session_id}/transfer",
  summary: "Transfers the phone call of a conversation to another number",
  description:
    "For operators. 409 where the conversation is no phone call, where no host holds it, or where nobody speaks in it (TRANSCRIPTION).",
  body: transferRequest,
});

export const takeOverSession = defineEndpoint({
  ...common,
  responses,
  name: "sessionsTakeOver",
  at: "POST /sessions/{session_id}/takeover",
  summary: "Puts the operator in the agent's place",
  description:
    "For operators. The agent falls silent, and the caller hears what the operator sends as binary messages (PCM16, 16 kHz) on the socket `/realtime/listen`. Session, transcript and recording continue. 409 where no host holds the conversation, where another operator has taken it over, or where nobody speaks in it (TRANSCRIPTION).",
});

export const handBackSession = defineEndpoint({
  ...common,
  responses,
  name: "sessionsHandBack",
  at: "POST /sessions/{session_id}/handback",
  summary: "Hands a conversation that was taken over back to the agent",
  description:
    "For operators. The agent knows what was said meanwhile, and the notes. 409 where nobody has taken it over.",
  body: handBackRequest.optional(),
});

export const holdSession = defineEndpoint({
  ...common,
  responses,
  name: "sessionsHold",
  at: "POST /sessions/{session_id}/hold",
  summary: "Puts the caller of a conversation that was taken over on hold, or takes them back",
  description: "For operators. 409 where nobody has taken it over.",
  body: holdRequest,
});

export const pressSessionKeys = defineEndpoint({
  ...common,
  responses,
  name: "sessionsKeys",
  at: "POST /sessions/{session_id}/keys",
  summary: "Presses keys in the phone call of a conversation that was taken over",
  description: "For operators. 409 where nobody has taken it over, or where the conversation is no phone call.",
  body: keysRequest,
});
