/** The numbers the turn machine decides by. All milliseconds; the rules in docs/conversation.md say what each does. */
import type { EndOfTurnEstimator, Expected } from "@voice/provider-kit/ports/end-of-turn";
import type { TurnLanguage } from "./text-kind.ts";
import type { TurnPolicy } from "./turn-policy.ts";

export interface TurnSettings {
  readonly policy: TurnPolicy;
  /** TURN-2: `VAD_SILENCE_TIMEOUT`, or the agent's own: the wait where nothing speaks for a longer or a shorter one. */
  readonly silenceMs: number;
  readonly estimator: EndOfTurnEstimator;
  /** Whose words interrupt, answer and hesitate: that of the agent that has the floor. */
  readonly language: TurnLanguage;
  /** What the agent has just asked for. */
  readonly expected: Expected;
  /** TURN-6, TURN-7: `VAD_TIMEOUT_MS`. */
  readonly silenceTimeoutMs: number;
  /** BARGE-7. */
  readonly bargeInEnabled: boolean;
  /** BARGE-1: `BARGE_IN_THRESHOLD_MS`. */
  readonly bargeInThresholdMs: number;
  /** IDLE-1. */
  readonly idleMs: number;
  /** FAIL-1: `ANSWER_TIMEOUT`. */
  readonly deadAirMs: number;
  /** FILL-1: `FILLER_DELAY`; 0: never. */
  readonly fillerMs: number;
}

/** Never asked. */
const noEstimator: EndOfTurnEstimator = {
  estimate: ({ middleMs }) => ({ probability: 0, waitMs: middleMs, reasons: [] }),
};

/** For modes in which we do not decide the end of turns. */
export const noEndpointing = {
  silenceMs: Number.POSITIVE_INFINITY,
  estimator: noEstimator,
  expected: { kind: "nothing" },
  silenceTimeoutMs: Number.POSITIVE_INFINITY,
  bargeInThresholdMs: 0,
  fillerMs: 0,
} as const;

/** BARGE-2. Longer than any backchannel; shorter than anyone's patience. */
export const bargeInSpeechMs = 800;
/** BARGE-2. How soon long speech that so far sounds like a murmur is judged again. */
export const anotherLookMs = 400;

/**
 * BARGE-3. Longer than it takes to ask a recogniser for its last word, and not so long that the caller wonders why the agent
 * has stopped. A word that comes later still interrupts.
 */
export const falseAlarmMs = 300;

/** BARGE-14. The first may be a cough, and the second another; a third says that there will be more. */
export const mostFalseAlarms = 2;
/** BARGE-14. As long as a voice in the background is remembered (TURN-7). */
export const waryMs = 20_000;

/** BARGE-8. */
export const answerOverlapMs = 1000;

/** TURN-10. Less probable ends are not worth a model's request. */
export const worthPreparing = 0.2;
/** TURN-10. Each preparation costs a model request; a caller who keeps rephrasing gets no fourth. */
export const maxPreparationsPerTurn = 3;

/** IDLE-1, IDLE-2. */
export const defaultIdleMs = 10_000;
export const maxReprompts = 2;

/** TURN-12. A recogniser that is flushed has said what it heard after this time, over a network and on a busy host. */
export const flushedMs = 500;

/** TURN-13. Shorter sounds without words are coughs and doors; longer ones are speech that was not understood. */
export const notUnderstoodMs = 500;
/**
 * TURN-13. After a question a short sound is more likely an answer than a cough: a quick "no" or "hi" takes 140 to 200 ms. The
 * detector needs 120 ms to notice any speech.
 */
export const notUnderstoodAfterQuestionMs = 120;
/**
 * TURN-13. After a yes-or-no question a sound without words, no longer than this, may have been the answer: the recogniser is asked
 * for its guess after the shortest wait for an answer, because guessing takes the local one up to 200 ms more.
 */
export const longestYesOrNoMs = 800;
export const yesOrNoFlushMs = 150;
/**
 * TURN-13. A caller who was not understood may be in mid-sentence; one who has finished waits no more than 1.5 s for a
 * response.
 */
export const askAgainMs = 1200;
/** Agents give up asking at the third. What follows is noise, or somebody talking to other people. */
export const maxClarifications = 3;

/** FILL-1. A filler takes a second or two to say; more often would be chatter. */
export const fillerAgainMs = 4000;
/** FILL-2. How soon to check again whether the caller is still speaking. */
export const fillerRetryMs = 500;

/** FAIL-2. */
export const maxFailures = 3;
/** FAIL-6: longer than a connection takes, shorter than a caller's patience with silence. */
export const patienceWithFallbackMs = 4000;

/**
 * TAKE-3. Speech that is heard this soon on a stream that was opened anew had begun before: its beginning is lost. People pause
 * between the words of a sentence for up to half a second, and a stream may be opened in such a pause.
 */
export const underWayMs = 600;
/** TAKE-3. The keys of a number are pressed up to this far apart (TURN-9), so that one that comes sooner may be in its middle. */
export const keysUnderWayMs = 2000;
/** TAKE-3. A caller who has just spoken into a gap waits for an answer; one who thinks needs longer than this. */
export const gapSilenceMs = 4000;

/**
 * Dead air is checked again after this time while the caller is speaking or has paused, because that silence is not the
 * agent's.
 */
export const deadAirRetryMs = 1000;
