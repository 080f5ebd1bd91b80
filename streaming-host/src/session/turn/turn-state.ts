/** The state of a conversation's turns, in two halves: what the agent is doing, and what the caller has said in the current turn. */
import type { EndOfTurnEstimate, PauseHabit, Prosody } from "@voice/provider-kit/ports/end-of-turn";
import type { SentenceState } from "@voice/provider-kit/ports/recogniser";
import type { EffectWords, OperatorLine, ReplyKind } from "./turn-effects.ts";

export const firstMoves = ["greet", "answer", "listen"] as const;

/** What the agent starts with: its greeting; TAKE-2 and HS-4a, what another host left unanswered; or nothing. */
export type FirstMove = (typeof firstMoves)[number];

export interface ActiveReply {
  readonly turnId: string;
  readonly kind: ReplyKind;
  /** The text of a reply that cannot be recreated from anything else, in case it has to be spoken again (FAIL-4). */
  readonly words?: string;
  readonly line?: OperatorLine;
  /** Only a filler has been played so far (FILL-3). */
  readonly isOnlyFiller?: boolean;
  /** The reply was created for a filler; the service has not started to answer (FILL-1). */
  readonly isExpected?: boolean;
  /** The reply could not be generated, and the caller is speaking over it. */
  readonly hasFailed?: boolean;
  /** How often the reply was resumed after a sound without words. */
  readonly timesResumed?: number;
  /**
   * For a greeting: how many finals the caller had spoken before, over the announcement. They are no interruption of the greeting (REC-3).
   */
  readonly finalsBefore?: number;
}

export type AgentState =
  | { readonly kind: "listening" }
  /**
   * According to the service the caller has finished; the service will answer, or find that there were no words. `endedMs`: when the caller's
   * words ended, before the silence that the service has waited for.
   */
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
  /** When the partial's words ended, on the session's clock; undefined if there is no partial. */
  readonly partialEndedMs: number | undefined;
  /** How the latest words relate to the sentences that are expected. */
  readonly sentence: SentenceState | undefined;
  /** The prosody of the latest words. */
  readonly prosody: Prosody | undefined;
  /** TURN-17: the probability, by the sound of their voice, that the caller has finished. */
  readonly voice: number | undefined;
  /** Partial text that the recogniser later withdrew. */
  readonly rejected: string;
  /** What the caller may have said instead (TURN-16). */
  readonly guess: string | undefined;
  /** How much speech there was without words, in milliseconds. */
  readonly unheardMs: number;
  /** The reasons for the current wait. */
  readonly estimate: EndOfTurnEstimate | undefined;
  /** Undefined until the caller has stopped for the first time in this turn. */
  readonly anchorMs: number | undefined;
  /** The client has signalled the end of the turn (TURN-12): the next final ends it without a further wait. */
  readonly finished: boolean;
  /** A part of it was typed or keyed in (TURN-8, TURN-9a). A typed "hmm" was sent deliberately and is not a hesitation. */
  readonly isWhole: boolean;
}

/** A turn that had to end before its final arrived. */
export interface LateFinal {
  /** The text that was used in place of the final. */
  readonly heard: string;
  /** The text was answered. Otherwise the caller was asked to repeat it, and nothing in the final is new. */
  readonly isAnswered: boolean;
  /** When the turn ended, on the session's clock. */
  readonly turnEndedMs: number;
  /** When the caller started to speak again since the turn ended; the same if they were speaking then. */
  readonly speechSinceMs: number | undefined;
}

export interface StoppedReply {
  readonly kind: ReplyKind;
  readonly words?: string | undefined;
  readonly line?: OperatorLine | undefined;
  readonly timesResumed?: number | undefined;
  /** The session was to end after this reply. */
  readonly endReason?: string | undefined;
}

export interface FalseAlarms {
  readonly count: number;
  /** The time of the latest event, on the session's clock. */
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
  /** How many effects are being carried out on the call; meanwhile the caller's silence is not timed. */
  readonly effectsRunning: number;
  /** The caller is on hold and hears the network's music. */
  readonly onHold: boolean;
  /** The outcome of an announced effect, of which the caller has not been told yet. */
  readonly pendingWords: EffectWords | undefined;
  /** What the agent does after the announcement; `listen` once its greeting or its first answer has begun. */
  readonly firstMove: FirstMove;
  /** The last turn ended before its final arrived (TURN-6, TURN-8), which may still come. */
  readonly lateFinal: LateFinal | undefined;
  /** The other party is an answering machine, which is not listened to. */
  readonly isDeaf: boolean;
  /**
   * TAKE-3: words may have been lost before `endsMs`. `isLong`: so may a whole sentence. `isFragment`: the caller's current utterance
   * lacks its beginning. `areKeysCut`: so do the keys they are pressing.
   */
  readonly gap:
    | { readonly endsMs: number; readonly isFragment: boolean; readonly isLong?: true; readonly areKeysCut?: true }
    | undefined;
  /** A person has taken over (PERSON-4), and the agent is silent until the conversation is handed back. */
  readonly withPerson: boolean;
  /** The client has paused, so nothing is timed. */
  readonly isPaused: boolean;
  /** The reply that the service has stopped for a sound which may turn out to have no words (BARGE-3). */
  readonly stopped: StoppedReply | undefined;
  /** Sounds over the agent that turned out to be nothing, since the last interruption (BARGE-14). */
  readonly falseAlarms: FalseAlarms;
  /** The service will not answer what the caller has said unless it is asked to (FAIL-4). */
  readonly owesAnswer: boolean;
  /** Operators' lines that are still to be spoken, in order. */
  readonly lines: readonly OperatorLine[];
  /** The line whose reply was cut off, until it is known whether any of it was heard. `isHopeless`: the voice has failed at it. */
  readonly cutLine: { readonly turnId: string; readonly line: OperatorLine; readonly isHopeless?: true } | undefined;
  /** Set if the session ends once the current reply was heard. */
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
    firstMove: "listen",
    lateFinal: undefined,
    isDeaf: false,
    gap: undefined,
    withPerson: false,
    isPaused: false,
    stopped: undefined,
    falseAlarms: noFalseAlarms,
    owesAnswer: false,
    lines: [],
    cutLine: undefined,
    endReason: undefined,
  };
}

/** A turn and its place in the history (HIST-6), which is the wall-clock time of its beginning. */
export interface BegunTurn {
  readonly turnId: string;
  readonly begunAtMs: number;
}

/** Turn ids are derived from a count and never parsed. */
export function turnIdOf(turnNumber: number): string {
  return `turn-${turnNumber}`;
}

/** The turn to which the caller's current words belong. */
export function nextTurnId({ turnCount }: TurnState): string {
  return turnIdOf(turnCount + 1);
}

export function userText(user: UserTurn): string {
  return [...user.finals, user.partial].filter((part) => part !== "").join(" ");
}

/** The partial contains words of the caller's current utterance; otherwise it is late, and all of it was spoken before. */
export function isOfRunningSpeech({ speech, partialEndedMs }: UserTurn): boolean {
  return speech.kind === "speaking" && (partialEndedMs === undefined || partialEndedMs > speech.sinceMs);
}

/** The state shown to watchers. */
export function announcedState(agent: AgentState): "listening" | "thinking" | "speaking" | "ended" {
  if (agent.kind === "awaiting") return "listening";
  return agent.kind === "held" ? agent.was : agent.kind;
}

export function runningReply(agent: AgentState): ActiveReply | undefined {
  return "reply" in agent ? agent.reply : undefined;
}

/** The caller is speaking, or has spoken, and nobody has answered yet. What they have said may still be being recognised. */
export function hasUnansweredSpeech(user: UserTurn): boolean {
  return user.speech.kind !== "quiet" || userText(user) !== "";
}

/** Nothing is in progress. */
export function isQuiet({ agent, user, effectsRunning }: TurnState): boolean {
  return agent.kind === "listening" && user.speech.kind !== "speaking" && userText(user) === "" && effectsRunning === 0;
}
