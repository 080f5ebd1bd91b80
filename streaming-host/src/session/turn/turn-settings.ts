/** The numbers by which the turn machine decides, in milliseconds. The rules in docs/conversation.md say what each does. */
import type { EndOfTurnEstimator, Expected } from "@voice/provider-kit/ports/end-of-turn";
import type { TurnLanguage } from "./text-kind.ts";
import type { TurnPolicy } from "./turn-policy.ts";

export interface TurnSettings {
  readonly policy: TurnPolicy;
  /** TURN-2: `VAD_SILENCE_TIMEOUT`, or the agent's own value: the wait if nothing suggests a longer or a shorter one. */
  readonly silenceMs: number;
  readonly estimator: EndOfTurnEstimator;
  /** Decides which words interrupt, answer and hesitate: the language of the agent that has the floor. */
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

/** Never called. */
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
/** BARGE-2. How soon long speech that sounds like a murmur so far is judged again. */
export const anotherLookMs = 400;

/**
 * BARGE-3. Longer than a recogniser takes for its final word, and short enough that the caller does not wonder why the agent has stopped. A
 * word that arrives later still interrupts.
 */
export const falseAlarmMs = 300;

/** BARGE-14. The first may be a cough, and so may the second; a third suggests that more will follow. */
export const mostFalseAlarms = 2;
/** BARGE-14. Equal to the time for which a voice in the background is remembered (TURN-7). */
export const waryMs = 20_000;

/** BARGE-8. */
export const answerOverlapMs = 1000;

/** TURN-10. Ends less probable than this are not worth a model request. */
export const worthPreparing = 0.2;
/** TURN-10. Each preparation costs a model request; for a caller who keeps rephrasing there is no fourth. */
export const maxPreparationsPerTurn = 3;

/** IDLE-1, IDLE-2. */
export const defaultIdleMs = 10_000;
export const maxReprompts = 2;

/** TURN-12. A recogniser that is flushed has reported its transcript within this time, even over a network and on a busy host. */
export const flushedMs = 500;

/** TURN-13. Shorter sounds without words are coughs and doors; longer ones are speech that was not understood. */
export const notUnderstoodMs = 500;
/**
 * TURN-13. After a question a short sound is more likely an answer than a cough: a quick "no" or "hi" takes 140 to 200 ms. The detector
 * needs 120 ms to notice any speech.
 */
export const notUnderstoodAfterQuestionMs = 120;
/**
 * TURN-13. After a yes-or-no question a sound without words, no longer than this, may have been the answer. The recogniser is asked for its
 * guess after the shortest wait for an answer, because the local one needs up to 200 ms for it.
 */
export const longestYesOrNoMs = 800;
export const yesOrNoFlushMs = 150;
/**
 * TURN-13. A caller who was not understood may be in the middle of a sentence; one who has finished waits no more than 1.5 s for a
 * response.
 */
export const askAgainMs = 1200;
/** Agents stop asking after the third. What follows is noise, or somebody talking to other people. */
export const maxClarifications = 3;

/** FILL-1. A filler takes a second or two to speak; more frequent ones would be chatter. */
export const fillerAgainMs = 4000;
/** FILL-2. How soon to check again whether the caller is still speaking. */
export const fillerRetryMs = 500;

/** FAIL-2. */
export const maxFailures = 3;
/** FAIL-6: longer than a connection takes, shorter than a caller's patience with silence. */
export const patienceWithFallbackMs = 4000;

/**
 * TAKE-3. Speech detected this soon on a newly opened stream had started before, so its beginning is lost. People pause between the words
 * of a sentence for up to half a second, and a stream may be opened in such a pause.
 */
export const underWayMs = 600;
/** TAKE-3. The keys of a number are pressed up to this far apart (TURN-9a), so a key that arrives sooner may be in the middle of one. */
export const keysUnderWayMs = 2000;
/** TAKE-3. A caller who has just spoken into a gap waits for an answer; one who is thinking needs longer than this. */
export const gapSilenceMs = 4000;
/** TAKE-3. A caller who hears nothing for this long speaks, and what they say may be over before somebody listens again. */
export const longGapMs = 1000;
/** TAKE-3. By then a caller who is speaking has been noticed, and one who has paused between two words has gone on. */
export const longGapSilenceMs = 1000;
/** TAKE-3. Half the usual time: enough for a caller who hears the same answer a second time to reply to it. */
export const repeatedAnswerMs = 5000;

/** Dead air is checked again after this time while the caller is speaking or has paused, because that silence is not the agent's. */
export const deadAirRetryMs = 1000;
