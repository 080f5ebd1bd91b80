/** The turn machine's effects. The machine only decides; the session carries them out. */

import type { ItemAuthor } from "@voice/shared/state/ports/session-store";
import type { EndOfTurnEstimate } from "@voice/provider-kit/ports/end-of-turn";

export const turnTimers = [
  /** Ends the turn: its text is final, and the wait for this kind of turn has passed. */
  "end-of-turn",
  /** Asks the recogniser to finalise now. */
  "flush",
  /** Ends a turn whose final or silence never arrived. */
  "turn-watchdog",
  /** Pauses the playout: the speech has lasted long enough. */
  "hold",
  /** Takes long speech for an interruption although no word was recognised. */
  "confirm-interruption",
  /** Takes short speech without words for a false alarm. */
  "false-alarm",
  /** The caller has been silent for too long. */
  "idle",
  /** The agent has been silent for too long. */
  "dead-air",
  /** The agent's first words take long. */
  "filler",
] as const;

export type TurnTimer = (typeof turnTimers)[number];

export const effectWords = [
  /** Nobody answered the transferred call. */
  "regret",
  "regret-hold",
  "regret-keys",
  /** The caller is back from hold. */
  "resumption",
  /** The effect is still in progress. */
  "patience",
] as const;

/** The outcomes of an effect on the call that the agent may have to mention. */
export type EffectWords = (typeof effectWords)[number];

const lastWords = [
  "farewell",
  /** The call has reached its maximum duration. */
  "closing",
  /** The message for an answering machine. */
  "message",
] as const;

/** Replies that end the conversation, so nothing interrupts them. */
export type LastWords = (typeof lastWords)[number];

export const replyKinds = [
  "answer",
  "greeting",
  "announcement",
  "clarification",
  "reprompt",
  "apology",
  /** A guardrail's replacement for a reply that it stopped. */
  "replacement",
  /** The text of an operator. */
  "line",
  /** A person has handed the conversation back (PERSON-7). */
  "return",
  ...effectWords,
  ...lastWords,
] as const;

/** Why the agent speaks: it answers the caller (who may not have been understood), or it speaks of its own accord. */
export type ReplyKind = (typeof replyKinds)[number];

/** END-4: the reason of a conversation that has lasted too long. */
export const callTooLong = "call_too_long";

/** FR-8: the reason of a conversation whose history has reached `MAX_SESSION_HISTORY`. */
export const historyFull = "history_full";

export function farewellOf(reason: string): "closing" | "farewell" {
  return reason === callTooLong || reason === historyFull ? "closing" : "farewell";
}

const lastKinds: ReadonlySet<ReplyKind> = new Set(lastWords);

/** Replies whose text comes from an operator or a guardrail, so that it cannot be recreated from anything else. */
const verbatimKinds: ReadonlySet<ReplyKind> = new Set<ReplyKind>(["line", "replacement"]);

export function isVerbatim(kind: ReplyKind): boolean {
  return verbatimKinds.has(kind);
}

export function isLastWords(kind: ReplyKind): boolean {
  return lastKinds.has(kind);
}

export type ReplyOrigin =
  /** This session: the caller said something, or the agent has something to say. */
  | "session"
  /** The service has started it on its own, so it must not be requested. */
  | "service"
  /** TAKE-2: the turn was taken over from another host; the caller's words are the last item in the history. */
  | "taken-over"
  /** BARGE-3: the service has stopped the reply because of a sound without words. */
  | "noise"
  /** The reply's connection was lost, so the reply is requested again on a new one. */
  | "lost-connection";

/** An operator's line; its id is absent from requests of older versions. */
export interface OperatorLine {
  readonly text: string;
  readonly id?: string | undefined;
  /** The line's beginning was heard before, and the caller spoke over the rest. */
  readonly isRepeated?: true | undefined;
}

export const heardParts = ["nothing", "beginning", "most"] as const;

/** How much of an operator's line was heard before it was cut off: no word, less than half of it, or more. */
export type HeardPart = (typeof heardParts)[number];

export const lineRefusals = [
  "conversation_ended",
  "too_many_lines",
  /** The agent's voice has failed to speak the line. */
  "voice_failed",
  /** No agent takes part in the conversation, or a person has taken its place. */
  "agent_silent",
] as const;

/** Why an operator's line is not said. */
export type LineRefusal = (typeof lineRefusals)[number];

export interface ReplyPlan {
  readonly turnId: string;
  readonly kind: ReplyKind;
  /** What the caller said, if `kind` is `answer`; the text to be spoken, if it is `message`, `replacement` or `line`. */
  readonly text: string;
  /** When the caller stopped speaking, on the session clock. */
  readonly anchorMs: number;
  /** A prepared answer may be used. */
  readonly prepared: boolean;
  readonly origin: ReplyOrigin;
  /** The line that the reply speaks, if `kind` is `line`. */
  readonly line?: OperatorLine | undefined;
  /** The reasons for ending the turn at that time; absent if no wait of ours ended it. */
  readonly endOfTurn?: EndOfTurnEstimate | undefined;
}

export type CancelReason =
  | "barge_in"
  | "dead_air"
  | "superseded"
  /** FAIL-6: the successor session gives the answer, and carries out what its tools requested. */
  | "passed_on"
  | "ended";

export type TurnEffect =
  | { readonly type: "begin-reply"; readonly plan: ReplyPlan }
  /** The model is slow and the caller hears nothing (FILL-1). */
  | { readonly type: "say-filler"; readonly turnId: string }
  | { readonly type: "prepare-reply"; readonly text: string }
  | { readonly type: "discard-prepared" }
  | { readonly type: "hold-playout"; readonly turnId: string }
  | { readonly type: "resume-playout"; readonly turnId: string }
  | { readonly type: "cancel-reply"; readonly turnId: string; readonly reason: CancelReason }
  /** The service is answering or about to answer, and must not. */
  | { readonly type: "refuse-response" }
  /** The caller's words belong to this turn and are not yet in the history (HIST-1). The other fields are as in `final`. */
  | {
      readonly type: "keep-words";
      readonly turnId: string;
      readonly text: string;
      readonly begunAtMs?: number | undefined;
      readonly endedMs?: number | undefined;
      /** Absent: the caller. */
      readonly author?: ItemAuthor;
    }
  /** TURN-13: the recogniser was not sure of these words, and the agent's question decided for them. Times on the session's clock. */
  | { readonly type: "publish-words"; readonly text: string; readonly startedAtMs: number; readonly endedAtMs: number }
  /** PERSON-2: an operator's line will not be said. */
  | { readonly type: "refuse-line"; readonly line: OperatorLine; readonly reason: LineRefusal }
  /** The agent was silent for too long, which only the machine detects (FAIL-1, FAIL-3). */
  | { readonly type: "report-silence" }
  | { readonly type: "flush-recogniser" }
  | { readonly type: "set-timer"; readonly timer: TurnTimer; readonly delayMs: number }
  | { readonly type: "clear-timer"; readonly timer: TurnTimer }
  /** FAIL-6. `callerWaits`: the caller is waiting for the replacement to speak. */
  | { readonly type: "give-up-model"; readonly callerWaits: boolean }
  | { readonly type: "end-session"; readonly reason: string };
