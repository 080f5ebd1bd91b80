/** Events from a peer or its host to a session, besides audio. The session adds the time. */
import type { HostEffect } from "../conversation/host-effects.ts";
import type { PeerTranscript } from "../../transports/transport.ts";
import type { TimelessTurnEvent } from "../turn/turn-events.ts";

export type PeerEvent =
  /** Typed text or collected keys, which form a complete turn. */
  | { readonly type: "whole-turn"; readonly text: string; readonly keyed?: true }
  /** A result of the communication service's own recogniser. */
  | { readonly type: "transcript"; readonly transcript: PeerTranscript }
  /** Switches to another language. */
  | { readonly type: "language-changed"; readonly language: string }
  /** PERSON-7: the person hands the conversation back, with notes for the agent. */
  | { readonly type: "person-left"; readonly notes?: string | undefined }
  /** The person's voice: PCM16 at `personRateHz`. */
  | { readonly type: "person-audio"; readonly samples: Int16Array }
  /** PERSON-6. */
  | { readonly type: "person-hold"; readonly isOnHold: boolean }
  /** OPS-4: carry out this effect as if the agent had requested it. */
  | { readonly type: "effect-requested"; readonly effect: HostEffect }
  /** The turn machine alone decides what follows from these. */
  | Extract<
      TimelessTurnEvent,
      {
        readonly type:
          | "key-pressed"
          | "caller-finished"
          | "paused"
          | "farewell-requested"
          | "voicemail-answered"
          | "voicemail-refuted"
          | "line-given"
          | "person-joined"
          | "last-words";
      }
    >;
