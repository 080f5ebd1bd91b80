/**
 * Parses the service's messages for its clients (the console, the simulated caller). Lenient, as clients must be: an
 * unknown type or event is `undefined`, so that a newer service does not break an older client.
 */
import { z } from "zod";

import {
  audioLevelsPayload,
  audioPayload,
  errorPayload,
  eventPayload,
  handoffPayload,
  responsePayload,
  sessionPayload,
  toolCallPayload,
  transcriptPayload,
  type ServerMessage,
} from "./server-message.ts";

const envelope = { session_id: z.string(), timestamp: z.string() };

const serverMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("audio"), ...envelope, payload: audioPayload }),
  z.object({ type: z.literal("transcript"), ...envelope, payload: transcriptPayload }),
  z.object({ type: z.literal("response"), ...envelope, payload: responsePayload }),
  z.object({ type: z.literal("agent_response"), ...envelope, payload: responsePayload }),
  z.object({ type: z.literal("handoff"), ...envelope, payload: handoffPayload }),
  z.object({ type: z.literal("tool_call"), ...envelope, payload: toolCallPayload }),
  z.object({ type: z.literal("event"), ...envelope, payload: eventPayload }),
  z.object({ type: z.literal("audio_levels"), ...envelope, payload: audioLevelsPayload }),
  z.object({ type: z.literal("session"), ...envelope, payload: sessionPayload }),
  z.object({ type: z.literal("error"), ...envelope, payload: errorPayload }),
]);

export function parseServerMessage(text: string): ServerMessage | undefined {
  const parsed = serverMessage.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
