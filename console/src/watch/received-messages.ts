/** The last messages of a conversation as they came, for a closer look. Pure. */
import type { ServerMessage } from "@voice/shared/contracts/stream/server-message";

export interface ReceivedMessage {
  readonly id: number;
  readonly at: string;
  /** The message's type and, for an event, its kind. */
  readonly name: string;
  readonly payload: unknown;
}

/** Bounded, because a page may be left open for days. */
const maxMessages = 2000;

/** Levels and audio come too often to be read. */
export function keepMessage(kept: readonly ReceivedMessage[], message: ServerMessage): readonly ReceivedMessage[] {
  if (message.type === "audio_levels" || message.type === "audio") return kept;
  const id = (kept.at(-1)?.id ?? 0) + 1;
  const name = message.type === "event" ? `event ${message.payload.name}` : message.type;
  return [...kept, { id, at: message.timestamp, name, payload: message.payload }].slice(-maxMessages);
}

/** One message per line, as in logs. */
export function asLines(messages: readonly ReceivedMessage[]): string {
  return messages.map(({ at, name, payload }) => JSON.stringify({ at, name, payload })).join("\n");
}
