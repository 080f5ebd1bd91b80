/** A parsed event of a realtime service. */
import type { RealtimeEvent, RealtimeUsage } from "@voice/provider-kit/ports/realtime-model";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { WireObject } from "./wire-object.ts";
import type { SettingsRefusal } from "./session-settings.ts";
import type { AudioPiece } from "./split-samples.ts";

/** How far the reported positions of speech extend beyond the words; undefined if the service does not say. */
export interface TurnTimes {
  readonly prefixMs: number | undefined;
  readonly silenceMs: number | undefined;
}

/** The meaning of an event: something for the protocol itself, or an event for the listener. */
export type ParsedEvent =
  | RealtimeEvent
  | { readonly type: "session-created" }
  /** The turn detection that is in force now, if the service reports it. */
  | { readonly type: "session-updated"; readonly turnDetection?: WireObject | undefined }
  | {
      readonly type: "user-transcript-finished";
      readonly itemId: string;
      readonly text: string;
      readonly usage: RealtimeUsage | undefined;
    }
  | { readonly type: "user-transcript-delta"; readonly itemId: string; readonly delta: string }
  /** A response was requested while another is active. */
  | { readonly type: "response-refused" }
  /** The service refused the request for a response that was sent with this id. */
  | { readonly type: "request-refused"; readonly requestId: string; readonly error: VoiceError }
  /** The service rejected something: with `updateId`, the settings that were sent with this id; otherwise it did not say what. */
  | {
      readonly type: "refused";
      readonly error: VoiceError;
      readonly refusal: SettingsRefusal;
      readonly updateId?: string | undefined;
    }
  /** The service ignores something, and goes on. */
  | { readonly type: "warning"; readonly code: string; readonly param: string | undefined }
  /** Settings were rejected for a reason that is not in them, such as an outage. */
  | { readonly type: "update-failed"; readonly updateId: string; readonly error: VoiceError }
  /** The service ends the session because it has reached its maximum duration. */
  | { readonly type: "session-over"; readonly error: VoiceError }
  /** Audio that ends in the middle of a sample. */
  | (AudioPiece & { readonly type: "split-audio"; readonly responseId: string })
  | { readonly type: "nothing" };
