/**
 * The variant of the realtime protocol that a service speaks: OpenAI's current one, or the earlier beta that other
 * services adopted. What all variants share is elsewhere in this folder: only one response runs at a time, how much of
 * a cancelled response is heard, and which events reach the listener.
 */
import type { RealtimeSettings, ResponseRequest } from "@voice/provider-kit/ports/realtime-model";
import type { ParsedEvent, TurnTimes } from "./parsed-event.ts";
import type { LearntSettings } from "./session-settings.ts";
import type { WireObject } from "./wire-object.ts";

/** A response that is requested in another way than usual. */
export interface OtherRequest {
  readonly create: WireObject;
  /** Uses this way from now on. For when the service has completed a response to it, because only then the refused part was to blame. */
  learn(): void;
}

export interface RealtimeDialect {
  /** Undefined if the event is not known. */
  parse(text: string): ParsedEvent;
  /** The `session` of a `session.update`. `isFirst`: nothing has been said in this session yet. */
  toSession(settings: RealtimeSettings, isFirst: boolean): WireObject;
  /** What the service has refused of such a `session`. */
  readonly learnt: LearntSettings;
  /** Where in the `session` they are, such as `audio.output.voice`. */
  readonly parts: { readonly voice: string; readonly transcription: string; readonly turnDetection: string };
  /** Whether a session that is open can become one of these settings. It cannot change its model. */
  serves(settings: RealtimeSettings): boolean;
  /** What the positions of speech include: by what was requested, and by what the service says is in force. */
  turnTimes(requested: WireObject | undefined, inForce: WireObject | undefined): TurnTimes;
  /** Whether the model goes on from the audio of its own words: then it still has what was heard of an item that is truncated. */
  hearsItself(settings: RealtimeSettings): boolean;
  /** The fields of a `response.create` other than its type. */
  toResponse(options: ResponseRequest, settings: RealtimeSettings): WireObject;
  /** Another way to request the same, after the service has refused this one; undefined if there is none. */
  respondOtherwise(refused: WireObject, settings: RealtimeSettings): OtherRequest | undefined;
  /** The content type of an agent's words in a conversation item. */
  readonly assistantContent: "text" | "output_text";
}
