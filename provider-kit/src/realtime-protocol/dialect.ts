/**
 * The variant of the realtime protocol that a service speaks: OpenAI's current one, or the earlier beta that other services adopted. What
 * all variants share is elsewhere in this folder: only one response runs at a time, how much of a cancelled response is heard, and which
 * events reach the listener.
 */
import type { RealtimeSettings, ResponseRequest } from "@voice/provider-kit/ports/realtime-model";
import type { ParsedEvent, TurnTimes } from "./parsed-event.ts";
import type { LearntSettings } from "./session-settings.ts";
import type { WireObject } from "./wire-object.ts";

/** An alternative way to request a response. */
export interface OtherRequest {
  readonly create: WireObject;
  /**
   * Uses this alternative from now on. Called when the service has completed a response to it, because only then was the rejected part to
   * blame.
   */
  learn(): void;
}

export interface RealtimeDialect {
  /** Undefined if the event is not known. */
  parse(text: string): ParsedEvent;
  /** The `session` of a `session.update`. `isFirst`: nothing has been said in this session yet. */
  toSession(settings: RealtimeSettings, isFirst: boolean): WireObject;
  /** What the service has rejected of such a `session`. */
  readonly learnt: LearntSettings;
  /** The paths of these parts in the `session`, such as `audio.output.voice`. */
  readonly parts: { readonly voice: string; readonly transcription: string; readonly turnDetection: string };
  /** Whether an open session can change to these settings. It cannot change its model. */
  serves(settings: RealtimeSettings): boolean;
  /** What the positions of speech include: derived from what was requested, and from what the service reports to be in force. */
  turnTimes(requested: WireObject | undefined, inForce: WireObject | undefined): TurnTimes;
  /** Whether the model continues from the audio of its own words: then it still remembers the part of a truncated item that was heard. */
  hearsItself(settings: RealtimeSettings): boolean;
  /** The fields of a `response.create` other than its type. */
  toResponse(options: ResponseRequest, settings: RealtimeSettings): WireObject;
  /** An alternative request after the service has rejected this one; undefined if there is none. */
  respondOtherwise(refused: WireObject, settings: RealtimeSettings): OtherRequest | undefined;
  /** The content type of an agent's text in a conversation item. */
  readonly assistantContent: "text" | "output_text";
}
