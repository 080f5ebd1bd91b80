/** What a peer, or the host it is connected to, tells a session besides audio. The session adds the time. */
import type { HostEffect } from "../conversation/host-effects.ts";
import type { PeerTranscript } from "../../transports/transport.ts";

export type PeerEvent =
  /** Typed text, or keys that were collected: the turn is complete. */
  | { readonly type: "whole-turn"; readonly text: string }
  /** One key of a collection: it shows that somebody is there (IDLE-1). */
  | { readonly type: "key-pressed" }
  /** TURN-12. */
  | { readonly type: "caller-finished" }
  /** The communication service's own recogniser has understood something. */
  | { readonly type: "transcript"; readonly transcript: PeerTranscript }
  | { readonly type: "paused"; readonly isPaused: boolean }
  /** The peer asks for another language from now on. */
  | { readonly type: "language-changed"; readonly language: string }
  /** Say goodbye and end: the host drains, or the call has lasted too long. */
  | { readonly type: "farewell-requested"; readonly reason: string }
  /** An answering machine is at the other end: nothing that it says is answered (VM-2). */
  | { readonly type: "voicemail-answered" }
  /** OPS-3: say this when nobody speaks. */
  | { readonly type: "line-given"; readonly text: string }
  /** OPS-4: do this with the call, as if the agent had asked for it. */
  | { readonly type: "effect-requested"; readonly effect: HostEffect }
  /** Say this to its end, whatever is heard meanwhile, and end the conversation; without words end it at once. */
  | { readonly type: "last-words"; readonly text: string; readonly reason: string };
