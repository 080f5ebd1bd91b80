/** Where a conversation stands. Two halves: what the agent does, and what the caller has said of the turn that is open. */
import type { EndOfTurnEstimate, PauseHabit, Prosody } from "@voice/provider-kit/ports/end-of-turn";
import type { SentenceState } from "@voice/provider-kit/ports/recogniser";
import type { EffectWords, ReplyKind } from "./turn-effects.ts";

export interface ActiveReply {
  readonly turnId: string;
  readonly kind: ReplyKind;
  /** What was said of it so far only bridges the wait for its words (FILL-3). */
  readonly isOnlyFiller?: boolean;
  /** It was opened to bridge the wait for a service that has not begun to answer (FILL-1). */
  readonly isExpected?: boolean;
}

export type AgentState =
  | { readonly kind: "listening" }
  /** The caller has finished as far as the service knows, which will answer or find that there were no words. */
  | { readonly kind: "awaiting"; readonly sinceMs: number }
  /** The turn has ended; nothing is audible yet. */
  | { readonly kind: "thinking"; readonly reply: ActiveReply }
  | { readonly kind: "speaking"; readonly reply: ActiveReply }
  /** Playout is paused while speech over it is judged. */
  | { readonly kind: "held"; readonly reply: ActiveReply; readonly was: "thinking" | "speaking" }
  | { readonly kind: "ended" };

export type UserSpeech =
  | { readonly kind: "quiet" }
  | { readonly kind: "speaking"; readonly sinceMs: number }
  | { readonly kind: "stopped"; readonly stoppedMs: number; readonly lastedMs: number };

export interface UserTurn {
  readonly speech: UserSpeech;
  readonly finals: readonly string[];
  readonly partial: string;
  /** How the latest words stand to the sentences that are expected. */
  readonly sentence: SentenceState | undefined;
  /** How they were said. */
  readonly prosody: Prosody | undefined;
  /** What sounded like words to the recogniser until it found that they were none. */
  readonly rejected: string;
  /** What that may have been (TURN-16). */
  readonly guess: string | undefined;
  /** How much speech there was without a word. */
  readonly unheardMs: number;
  /** What the latest wait is due to. */
  readonly estimate: EndOfTurnEstimate | undefined;
  /** Undefined until the caller has stopped for the first time in this turn. */
  readonly anchorMs: number | undefined;
  /** The client said that the caller has finished (TURN-12): no further wait. */
  readonly finished: boolean;
  /** Some of it was typed or keyed (TURN-8, TURN-9). Who types "hmm" has sent it: it is no hesitation. */
  readonly isWhole: boolean;
}

export interface TurnState {
  readonly agent: AgentState;
  readonly user: UserTurn;
  /** The text under which an answer is being prepared. */
  readonly preparedText: string | undefined;
  readonly preparations: number;
  /** How this caller pauses in the middle of a turn. */
  readonly pauses: PauseHabit;
  readonly turnCount: number;
  readonly reprompts: number;
  readonly failures: number;
  readonly clarifications: number;
  /** What the host is doing with the call right now; the caller's silence means nothing meanwhile. */
  readonly effectsRunning: number;
  /** The caller hears the network's music and not us. */
  readonly onHold: boolean;
  /** What has become of something the agent had promised, and the caller does not know yet. */
  readonly pendingWords: EffectWords | undefined;
  /** The greeting follows the announcement. */
  readonly greetsNext: boolean;
  /**
   * The last turn ended before the recogniser gave its final (TURN-6, TURN-8). That final still comes, says nothing new
   * and must not open another turn. What is spoken since `speechSinceMs` does.
   */
  readonly lateFinal: { readonly speechSinceMs: number | undefined } | undefined;
  /** An answering machine talks at the other end; it is not listened to. */
  readonly isDeaf: boolean;
  /** TAKE-3: words may have been lost before `endsMs`; `isFragment`: of what the caller says now, the beginning was. */
  readonly gap: { readonly endsMs: number; readonly isFragment: boolean } | undefined;
  /** The client has pressed pause: nobody is waited for. */
  readonly isPaused: boolean;
  /** What operators want to be said, in the order in which they asked. */
  readonly lines: readonly string[];
  /** Ends the session once the running reply was heard. */
  readonly endReason: string | undefined;
}

export const emptyUserTurn: UserTurn = {
  speech: { kind: "quiet" },
  finals: [],
  partial: "",
  sentence: undefined,
  prosody: undefined,
  rejected: "",
  guess: undefined,
  unheardMs: 0,
  estimate: undefined,
  anchorMs: undefined,
  finished: false,
  isWhole: false,
};

export function initialTurnState(turnCount: number): TurnState {
  return {
    agent: { kind: "listening" },
    user: emptyUserTurn,
    preparedText: undefined,
    preparations: 0,
    pauses: { count: 0, longestMs: 0 },
    turnCount,
    reprompts: 0,
    failures: 0,
    clarifications: 0,
    effectsRunning: 0,
    onHold: false,
    pendingWords: undefined,
    greetsNext: false,
    lateFinal: undefined,
    isDeaf: false,
    gap: undefined,
    isPaused: false,
    lines: [],
    endReason: undefined,
  };
}

/** Turns are counted; what others know them by is made from the count and never read back. */
export function turnIdOf(turnNumber: number): string {
  return `turn-${turnNumber}`;
}

/** The turn that what the caller says now belongs to. */
export function nextTurnId({ turnCount }: TurnState): string {
  return turnIdOf(turnCount + 1);
}

export function userText(user: UserTurn): string {
  return [...user.finals, user.partial].filter((part) => part !== "").join(" ");
}

/** What watchers are told. */
export function announcedState(agent: AgentState): "listening" | "thinking" | "speaking" | "ended" {
  if (agent.kind === "awaiting") return "listening";
  return agent.kind === "held" ? agent.was : agent.kind;
}

/** The reply that has the floor, if any. */
export function runningReply(agent: AgentState): ActiveReply | undefined {
  return "reply" in agent ? agent.reply : undefined;
}

/** Nobody is in the middle of anything. */
export function isQuiet({ agent, user, effectsRunning }: TurnState): boolean {
  return agent.kind === "listening" && user.speech.kind !== "speaking" && userText(user) === "" && effectsRunning === 0;
}
