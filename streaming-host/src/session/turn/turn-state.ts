/**
 * The state of a conversation's turns. Two halves: what the agent is doing, and what the caller has said in the open
 * turn.
 */
import type { EndOfTurnEstimate, PauseHabit, Prosody } from "@voice/provider-kit/ports/end-of-turn";
import type { SentenceState } from "@voice/provider-kit/ports/recogniser";
import type { EffectWords, ReplyKind } from "./turn-effects.ts";

export interface ActiveReply {
  readonly turnId: string;
  readonly kind: ReplyKind;
  /** Of a reply whose words nothing else knows, in case it has to be said again (FAIL-4). */
  readonly words?: string;
  /** Only a filler has been said so far (FILL-3). */
  readonly isOnlyFiller?: boolean;
  /** It was opened for a filler while the service has not begun to answer (FILL-1). */
  readonly isExpected?: boolean;
  /** It could not be made, and the caller is speaking over it. */
  readonly hasFailed?: boolean;
  /** How often it went on after a sound without words. */
  readonly timesResumed?: number;
  /** Of a greeting: how many finals the caller had said before, over the announcement, which are no interruption of it (REC-3). */
  readonly finalsBefore?: number;
}

export type AgentState =
  | { readonly kind: "listening" }
  /** The caller has finished according to the service, which will answer or find that there were no words. */
  /** `endedMs`: where the caller's words ended, before the silence that the service has waited for. */
  | { readonly kind: "awaiting"; readonly sinceMs: number; readonly endedMs?: number | undefined }
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
  /** When its words ended, on the session's clock; undefined while there is none. */
  readonly partialEndedMs: number | undefined;
  /** How the latest words relate to the expected sentences. */
  readonly sentence: SentenceState | undefined;
  /** Their prosody. */
  readonly prosody: Prosody | undefined;
  /** TURN-17: that they have finished, by the sound of their voice. */
  readonly voice: number | undefined;
  /** Partial text that the recogniser later withdrew. */
  readonly rejected: string;
  /** What the caller may have said instead (TURN-16). */
  readonly guess: string | undefined;
  /** The amount of speech without words. */
  readonly unheardMs: number;
  /** The reasons for the current wait. */
  readonly estimate: EndOfTurnEstimate | undefined;
  /** Undefined until the caller has stopped for the first time in this turn. */
  readonly anchorMs: number | undefined;
  /** The client has signalled the end of the turn (TURN-12): the next final ends it without a further wait. */
  readonly finished: boolean;
  /** Part of it was typed or keyed (TURN-8, TURN-9). A typed "hmm" was sent deliberately and is not a hesitation. */
  readonly isWhole: boolean;
}

/** The final of a turn that had to end before it came. */
export interface LateFinal {
  /** The words that were heard in its place. */
  readonly heard: string;
  /** They were answered; otherwise the caller was asked to repeat them, and nothing in the final is new. */
  readonly isAnswered: boolean;
  /** When the turn ended, on the session's clock. */
  readonly turnEndedMs: number;
  /** The caller has begun to speak again since, or had when the turn ended. */
  readonly speechSinceMs: number | undefined;
}

export interface StoppedReply {
  readonly kind: ReplyKind;
  readonly words?: string | undefined;
  readonly timesResumed?: number | undefined;
  /** The session was to end after it. */
  readonly endReason?: string | undefined;
}

export interface FalseAlarms {
  readonly count: number;
  /** On the session's clock. */
  readonly latestMs: number;
}

export const noFalseAlarms: FalseAlarms = { count: 0, latestMs: 0 };

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
  /** The effect being carried out on the call; meanwhile the caller's silence is not timed. */
  readonly effectsRunning: number;
  /** The caller is on hold and hears the network's music. */
  readonly onHold: boolean;
  /** The outcome of an announced effect that the caller has not been told yet. */
  readonly pendingWords: EffectWords | undefined;
  /** The greeting follows the announcement. */
  readonly greetsNext: boolean;
  /** The last turn ended before the recogniser gave its final (TURN-6, TURN-8), which may still come. */
  readonly lateFinal: LateFinal | undefined;
  /** The other party is an answering machine, which is not listened to. */
  readonly isDeaf: boolean;
  /** TAKE-3: words may have been lost before `endsMs`; `isFragment`: of what the caller says now, the beginning was; `areKeysCut`: of what they key in. */
  readonly gap: { readonly endsMs: number; readonly isFragment: boolean; readonly areKeysCut?: true } | undefined;
  /** The client has paused, so nothing is timed. */
  readonly isPaused: boolean;
  /** What the service has stopped for a sound that may turn out to have no words (BARGE-3). */
  readonly stopped: StoppedReply | undefined;
  /** Sounds over the agent that were nothing, since the last interruption (BARGE-14). */
  readonly falseAlarms: FalseAlarms;
  /** The service does not answer any more what the caller has said, unless it is asked to (FAIL-4). */
  readonly owesAnswer: boolean;
  /** Operators' lines that are still to be said, in order. */
  readonly lines: readonly string[];
  /** Ends the session once the running reply was heard. */
  readonly endReason: string | undefined;
}

export const emptyUserTurn: UserTurn = {
  speech: { kind: "quiet" },
  finals: [],
  partial: "",
  partialEndedMs: undefined,
  sentence: undefined,
  prosody: undefined,
  voice: undefined,
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
    stopped: undefined,
    falseAlarms: noFalseAlarms,
    owesAnswer: false,
    lines: [],
    endReason: undefined,
  };
}

/** A turn and its place in the history (HIST-6), which is the wall-clock time of its beginning. */
export interface BegunTurn {
  readonly turnId: string;
  readonly begunAtMs: number;
}

/** Turns are counted; their ids are derived from the count and never parsed. */
export function turnIdOf(turnNumber: number): string {
  return `turn-${turnNumber}`;
}

/** The turn of the caller's current words. */
export function nextTurnId({ turnCount }: TurnState): string {
  return turnIdOf(turnCount + 1);
}

export function userText(user: UserTurn): string {
  return [...user.finals, user.partial].filter((part) => part !== "").join(" ");
}

/** The partial has words of what the caller is saying now; otherwise it is late, and all of it was said before. */
export function isOfRunningSpeech({ speech, partialEndedMs }: UserTurn): boolean {
  return speech.kind === "speaking" && (partialEndedMs === undefined || partialEndedMs > speech.sinceMs);
}

/** The state shown to watchers. */
export function announcedState(agent: AgentState): "listening" | "thinking" | "speaking" | "ended" {
  if (agent.kind === "awaiting") return "listening";
  return agent.kind === "held" ? agent.was : agent.kind;
}

/** The current reply, if any. */
export function runningReply(agent: AgentState): ActiveReply | undefined {
  return "reply" in agent ? agent.reply : undefined;
}

/** Nothing is in progress. */
export function isQuiet({ agent, user, effectsRunning }: TurnState): boolean {
  return agent.kind === "listening" && user.speech.kind !== "speaking" && userText(user) === "" && effectsRunning === 0;
}
