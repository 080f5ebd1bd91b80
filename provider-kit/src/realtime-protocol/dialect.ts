/**
 * How a service speaks the realtime protocol: OpenAI's, as it is today, or as it was when others took it over. What is the
 * same in all of them (one response at a time, what is heard of a cancelled one, who is told what) is in this folder.
 */
import type { RealtimeSettings } from "@voice/provider-kit/ports/realtime-model";
import type { ParsedEvent } from "./server-events.ts";

export type WireObject = Readonly<Record<string, unknown>>;

/** How an answer is asked for: with words for it alone, or as exactly these words. */
export interface ResponseOptions {
  readonly instructions?: string;
  readonly say?: string;
}

export interface RealtimeDialect {
  /** Undefined where nothing is known of the event. */
  parse(text: string): ParsedEvent;
  /** The `session` of a `session.update`. `isFirst`: nothing was said in this session yet. */
  toSession(settings: RealtimeSettings, isFirst: boolean): WireObject;
  /** Leaves an optional part of the settings out from now on; false where it is left out already, and is not the cause. */
  leaveOut(part: string): boolean;
  /** What a `response.create` has beside its type. */
  toResponse(options: ResponseOptions, settings: RealtimeSettings): WireObject;
  /** What an agent's words are called in an item. */
  readonly assistantContent: "text" | "output_text";
}
