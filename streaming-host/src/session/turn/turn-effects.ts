/** What the session has to do about it. The machine decides; it never does anything itself. */

import type { EndOfTurnEstimate } from "@voice/provider-kit/ports/end-of-turn";

export const turnTimers = [
  /** Ends the turn: its text is final and the wait for its kind is over. */
  "end-of-turn",
  /** Asks the recogniser for its final now. */
  "flush",
  /** Ends a turn whose final, or whose silence, never came. */
  "turn-watchdog",
  /** Pauses the playout: the speech has lasted long enough. */
  "hold",
  /** Takes long speech for an interruption although no word was recognised. */
  "confirm-interruption",
  /** Takes short speech without words for a false alarm. */
  "false-alarm",
  /** The caller says nothing. */
  "idle",
  /** The agent says nothing. */
  "dead-air",
  /** The agent takes long to find its first word. */
  "filler",
] as const;

export type TurnTimer = (typeof turnTimers)[number];

export const effectWords = [
  /** Nobody took the transferred call. */
  "regret",
  "regret-hold",
  "regret-keys",
  /** The caller is back from hold. */
  "resumption",
  /** It is not done yet. */
  "patience",
] as const;

/** What there may be to say about something that the host did with the call. */
export type EffectWords = (typeof effectWords)[number];

const lastWords = [
  "farewell",
  /** The call has lasted as long as it may. */
  "closing",
  /** For an answering machine. */
  "message",
] as const;

/** The conversation ends with these, so nothing interrupts them. */
export type LastWords = (typeof lastWords)[number];

export const replyKinds = [
  "answer",
  "greeting",
  "announcement",
  "clarification",
  "reprompt",
  "apology",
  /** A guardrail's own words, in place of a reply that it stopped. */
  "replacement",
  /** An operator's words. */
  "line",
  ...effectWords,
  ...lastWords,
] as const;

/** Why the agent speaks: it answers the caller (who may not have been understood), or it has something of its own to say. */
export type ReplyKind = (typeof replyKinds)[number];

/** END-4: the reason of a conversation that has lasted too long. */
export const callTooLong = "call_too_long";

export function farewellOf(reason: string): "closing" | "farewell" {
  return reason === callTooLong ? "closing" : "farewell";
}

const lastKinds: ReadonlySet<ReplyKind> = new Set(lastWords);

export function isLastWords(kind: ReplyKind): boolean {
  return lastKinds.has(kind);
}

/** Who or what asked for a reply. */
export type ReplyOrigin =
  /** This session: the caller said something, or there is something to say. */
  | "session"
  /** The service has begun it of its own accord; it must not be asked for. */
  | "service"
  /** TAKE-2: another host had the turn before; the caller's words are the last ones in the history. */
  | "taken-over"
  /** The connection that was making it is gone; it is asked for again on another one. */
  | "lost-connection";

export interface ReplyPlan {
  readonly turnId: string;
  readonly kind: ReplyKind;
  /** What the caller said, where `kind` is `answer`; the words themselves, where it is `message`, `replacement` or `line`. */
  readonly text: string;
  /** The caller stopped speaking at this time of the session clock. */
  readonly anchorMs: number;
  /** The answer prepared under this text's key may be used. */
  readonly prepared: boolean;
  readonly origin: ReplyOrigin;
  /** Why the turn was taken to be over when it was; absent where no wait of ours ended it. */
  readonly endOfTurn?: EndOfTurnEstimate | undefined;
}

export type CancelReason = "barge_in" | "dead_air" | "superseded" | "ended";

export type TurnEffect =
  | { readonly type: "begin-reply"; readonly plan: ReplyPlan }
  /** The model takes its time, and the caller hears nothing (FILL-1). */
  | { readonly type: "say-filler"; readonly turnId: string }
  | { readonly type: "prepare-reply"; readonly text: string }
  | { readonly type: "discard-prepared" }
  | { readonly type: "hold-playout"; readonly turnId: string }
  | { readonly type: "resume-playout"; readonly turnId: string }
  | { readonly type: "cancel-reply"; readonly turnId: string; readonly reason: CancelReason }
  /** The service answers, or is about to, and must not. */
  | { readonly type: "refuse-response" }
  /** The caller's words belong to this turn and are not yet in the history (HIST-1). */
  | { readonly type: "keep-words"; readonly turnId: string; readonly text: string }
  /** The agent was not heard for too long, which nobody but the machine knows (FAIL-1, FAIL-3). */
  | { readonly type: "report-silence" }
  | { readonly type: "flush-recogniser" }
  | { readonly type: "set-timer"; readonly timer: TurnTimer; readonly delayMs: number }
  | { readonly type: "clear-timer"; readonly timer: TurnTimer }
  /** FAIL-6. `callerWaits`: for a word of whoever goes on. */
  | { readonly type: "give-up-model"; readonly callerWaits: boolean }
  | { readonly type: "end-session"; readonly reason: string };
