/** What the session has to do about it. The machine decides; it never does anything itself. */

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
] as const;

export type TurnTimer = (typeof turnTimers)[number];

/** What there may be to say about something that the host did with the call. */
export type EffectWords =
  /** Nobody took the transferred call. */
  | "regret"
  | "regret-hold"
  | "regret-keys"
  /** The caller is back from hold. */
  | "resumption"
  /** It is not done yet. */
  | "patience";

/** The conversation ends with these, so nothing interrupts them. */
export type LastWords =
  | "farewell"
  /** The call has lasted as long as it may. */
  | "closing"
  /** For an answering machine. */
  | "message";

/** Why the agent speaks: it answers the caller (who may not have been understood), or it has something of its own to say. */
export type ReplyKind =
  | "answer"
  | "greeting"
  | "announcement"
  | "clarification"
  | "reprompt"
  | "apology"
  | EffectWords
  | LastWords;

/** END-4: the reason of a conversation that has lasted too long. */
export const callTooLong = "call_too_long";

export function farewellOf(reason: string): "closing" | "farewell" {
  return reason === callTooLong ? "closing" : "farewell";
}

const lastWords: ReadonlySet<ReplyKind> = new Set<LastWords>(["farewell", "closing", "message"]);

export function isLastWords(kind: ReplyKind): boolean {
  return lastWords.has(kind);
}

export interface ReplyPlan {
  readonly turnId: string;
  readonly kind: ReplyKind;
  /** What the caller said, where `kind` is `answer`; the words themselves, where it is `message`. */
  readonly text: string;
  /** The caller stopped speaking at this time of the session clock. */
  readonly anchorMs: number;
  /** The answer prepared under this text's key may be used. */
  readonly prepared: boolean;
  /** TAKE-2: another host had the turn before; the caller's words are the last ones in the history. */
  readonly goesOn?: boolean;
}

export type CancelReason = "barge_in" | "dead_air" | "superseded" | "ended";

export type TurnEffect =
  | { readonly type: "begin-reply"; readonly plan: ReplyPlan }
  | { readonly type: "prepare-reply"; readonly text: string }
  | { readonly type: "discard-prepared" }
  | { readonly type: "hold-playout"; readonly turnId: string }
  | { readonly type: "resume-playout"; readonly turnId: string }
  | { readonly type: "cancel-reply"; readonly turnId: string; readonly reason: CancelReason }
  | { readonly type: "flush-recogniser" }
  | { readonly type: "set-timer"; readonly timer: TurnTimer; readonly delayMs: number }
  | { readonly type: "clear-timer"; readonly timer: TurnTimer }
  | { readonly type: "end-session"; readonly reason: string };
