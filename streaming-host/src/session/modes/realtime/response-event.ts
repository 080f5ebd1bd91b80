/** The realtime model's events about a response; the session handles the others. */
import type { RealtimeEvent } from "@voice/provider-kit/ports/realtime-model";

export type ResponseEvent = Extract<
  RealtimeEvent,
  {
    type:
      | "response-started"
      | "audio"
      | "audio-finished"
      | "agent-text"
      | "agent-text-finished"
      | "word"
      | "tool-call"
      | "response-finished";
  }
>;

export type ResponseEnd = Extract<ResponseEvent, { type: "response-finished" }>;

export type ResponseStart = Extract<ResponseEvent, { type: "response-started" }>;
