/**
 * Parses the service's messages for its clients (the console, the simulated caller). Lenient, as clients must be: an
 * unknown type or event is `undefined`, so that a newer service does not break an older client.
 */
import { z } from "zod";

import { serverPayloads } from "./server-message.ts";
import type { ServerMessage, ServerMessageType } from "./server-message.ts";

const envelope = { session_id: z.string(), timestamp: z.string() };

const ofType = <T extends ServerMessageType>(type: T) =>
  z.object({ type: z.literal(type), ...envelope, payload: serverPayloads[type] });

const serverMessage = z.discriminatedUnion("type", [
  ofType("audio"),
  ofType("transcript"),
  ofType("response"),
  ofType("agent_response"),
  ofType("handoff"),
  ofType("tool_call"),
  ofType("event"),
  ofType("audio_levels"),
  ofType("session"),
  ofType("error"),
  ofType("pong"),
]);

export function parseServerMessage(text: string): ServerMessage | undefined {
  return toServerMessage(parseJson(text));
}

/** The same of a message that is no text any more. */
export function toServerMessage(value: unknown): ServerMessage | undefined {
  const parsed = serverMessage.safeParse(value);
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
