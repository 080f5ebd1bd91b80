/** Events from a peer or its host to a session, besides audio. The session adds the time. */
import type { HostEffect } from "../conversation/host-effects.ts";
import type { PeerTranscript } from "../../transports/transport.ts";

export type PeerEvent =
  /** Typed text or collected keys, which form a complete turn. */
  | { readonly type: "whole-turn"; readonly text: string; readonly keyed?: true }
  /** A key of an incomplete collection, which shows that somebody is there (IDLE-1). */
  | { readonly type: "key-pressed" }
  /** TURN-12. */
  | { readonly type: "caller-finished" }
  /** A result of the communication service's own recogniser. */
  | { readonly type: "transcript"; readonly transcript: PeerTranscript }
  | { readonly type: "paused"; readonly isPaused: boolean }
  /** Switches to another language. */
  | { readonly type: "language-changed"; readonly language: string }
  /** Say goodbye and end: the host drains, or the call has lasted too long. */
  | { readonly type: "farewell-requested"; readonly reason: string }
  /** An answering machine has answered; nothing that it says is answered (VM-2). */
  | { readonly type: "voicemail-answered" }
  /** It was a person after all, who is answered from now on (VM-6). */
  | { readonly type: "voicemail-refuted" }
  /** OPS-3: say this as soon as nobody is speaking. */
  | { readonly type: "line-given"; readonly text: string; readonly lineId?: string | undefined }
  /** PERSON-4: a person takes the agent's place. */
  | { readonly type: "person-joined" }
  /** PERSON-7: and hands the conversation back, with notes for the agent. */
  | { readonly type: "person-left"; readonly notes?: string | undefined }
  /** Their voice: PCM16 at `personRateHz`. */
  | { readonly type: "person-audio"; readonly samples: Int16Array }
  /** PERSON-6. */
  | { readonly type: "person-hold"; readonly isOnHold: boolean }
  /** OPS-4: carry out this effect as if the agent had requested it. */
  | { readonly type: "effect-requested"; readonly effect: HostEffect }
  /** Say this without being interrupted and then end the conversation; without words, end it at once. */
  | { readonly type: "last-words"; readonly text: string; readonly reason: string };
