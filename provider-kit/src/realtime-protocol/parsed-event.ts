/** An event of a realtime service, read. */
import type { RealtimeEvent, RealtimeUsage } from "@voice/provider-kit/ports/realtime-model";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { AudioPiece } from "./split-samples.ts";

/** What one event means to the protocol itself, or to the listener. */
export type ParsedEvent =
  | RealtimeEvent
  | { readonly type: "session-created" }
  | { readonly type: "session-updated" }
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
  /** The service refused settings for a session that is open already. */
  | { readonly type: "update-refused"; readonly error: VoiceError }
  /** The service refused a part of the settings that a conversation can do without. */
  | { readonly type: "part-refused"; readonly part: string; readonly error: VoiceError }
  /** The service ends the session because it has lasted as long as one may. */
  | { readonly type: "session-over"; readonly error: VoiceError }
  /** Audio that ends in the middle of a sample. */
  | (AudioPiece & { readonly type: "split-audio"; readonly responseId: string })
  | { readonly type: "nothing" };
