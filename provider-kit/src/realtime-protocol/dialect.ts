/**
 * The variant of the realtime protocol that a service speaks: OpenAI's current one, or the earlier beta that other
 * services adopted. What all variants share is elsewhere in this folder: only one response runs at a time, how much of
 * a cancelled response is heard, and which events reach the listener.
 */
import type { RealtimeSettings, ResponseRequest } from "@voice/provider-kit/ports/realtime-model";
import type { ParsedEvent } from "./parsed-event.ts";

export type WireObject = Readonly<Record<string, unknown>>;

export interface RealtimeDialect {
  /** Undefined if the event is not known. */
  parse(text: string): ParsedEvent;
  /** The `session` of a `session.update`. `isFirst`: nothing has been said in this session yet. */
  toSession(settings: RealtimeSettings, isFirst: boolean): WireObject;
  /**
   * Omits an optional part from now on, where its value is that of these settings: sessions have their settings from
   * agents, and what is wrong with one agent's is taken from no other.
   */
  leaveOut(part: string, settings: RealtimeSettings): void;
  /** The fields of a `response.create` other than its type. */
  toResponse(options: ResponseRequest, settings: RealtimeSettings): WireObject;
  /** The content type of an agent's words in a conversation item. */
  readonly assistantContent: "text" | "output_text";
}
