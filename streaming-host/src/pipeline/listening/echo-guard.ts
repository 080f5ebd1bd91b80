/** BARGE-10: keeps the agent from taking its own echo for a caller. Sits between the detector of speech and the session. */
import { createEchoDetector } from "@voice/provider-kit/audio/echo-detector";
import type { SpeechChange } from "./speech-detector.ts";

export interface HeardFrame {
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
  /** Milliseconds of the session's audio, this frame included. */
  readonly heardMs: number;
  readonly nowMs: number;
  readonly change: SpeechChange | undefined;
  readonly isSpeaking: boolean;
}

export interface EchoGuard {
  agentSays(frame: Int16Array, sampleRateHz: number, playsAtMs: number): void;
  /**
   * Separates the caller's speech from the agent's echo. `pass` receives every frame once, in order, with the agent's
   * own voice replaced by silence; during echo, frames are delayed until it is certain that nobody is speaking over it.
   */
  judge(frame: HeardFrame, pass: (samples: Int16Array, isCaller: boolean) => void): SpeechChange | undefined;
  /** The newest frame is the agent's own voice. */
  readonly isEchoing: boolean;
  /** Whether words that began at this position, in milliseconds of the session's audio, are the agent's own. */
  isOwnWords(startMs: number): boolean;
  /** The same for words that arrive now without detected speech, because a recogniser also hears faint sound. */
  isFaintEcho(startMs: number, now: { readonly heardMs: number; readonly nowMs: number }): boolean;
}

/** 80 ms, so that a caller who speaks over an echo is not detected any later. */
const framesBetweenLooks = 4;
/** How many frames are compared: a caller who is detected at the end of this window began to speak within it. */
const waitingFrames = 12;
/** A recogniser dates the beginning of words back; the end of an echo may sound like one more. */
const wordMarginMs = 300;

export function createEchoGuard(): EchoGuard {
  const detector = createEchoDetector();
  /** Milliseconds of the session's audio. */
  let echo: { readonly fromMs: number; readonly untilMs: number } | undefined;
  let isEchoing = false;
  let framesSinceLook = 0;
  let waiting: Int16Array[] = [];

  /** Classifies the detector's finding: echo, caller, or neither has begun. */
  function decide({ change, heardMs, isSpeaking, nowMs }: HeardFrame): SpeechChange | undefined {
    if (change?.type === "started") {
      isEchoing = detector.mayEcho(nowMs) && detector.isEcho(nowMs);
      framesSinceLook = 0;
      echo = isEchoing ? { fromMs: echo?.fromMs ?? heardMs, untilMs: heardMs } : undefined;
      return isEchoing ? undefined : change;
    }
    if (!isEchoing) return change;
    if (!isSpeaking) {
      isEchoing = false;
      return undefined;
    }
    echo = { fromMs: echo?.fromMs ?? heardMs, untilMs: heardMs };
    if (++framesSinceLook < framesBetweenLooks) return undefined;
    framesSinceLook = 0;
    if (detector.isEcho(nowMs)) return undefined;
    isEchoing = false;
    echo = undefined;
    return { type: "started", framesAgo: waiting.length };
  }

  return {
    agentSays: (frame, sampleRateHz, playsAtMs) => detector.agentSays(frame, sampleRateHz, playsAtMs),
    judge(frame, pass) {
      detector.hear(frame.samples, frame.sampleRateHz);
      const change = decide(frame);
      if (isEchoing) {
        waiting.push(frame.samples);
        const oldest = waiting.length > waitingFrames ? waiting.shift() : undefined;
        if (oldest !== undefined) pass(new Int16Array(oldest.length), false);
        return undefined;
      }
      if (waiting.length > 0) {
        const isCaller = change?.type === "started";
        for (const samples of waiting) pass(isCaller ? samples : new Int16Array(samples.length), isCaller);
        waiting = [];
      }
      pass(frame.samples, frame.isSpeaking);
      return change;
    },
    get isEchoing() {
      return isEchoing;
    },
    isOwnWords: (startMs) =>
      echo !== undefined && startMs >= echo.fromMs - wordMarginMs && startMs <= echo.untilMs + wordMarginMs,
    isFaintEcho(startMs, { heardMs, nowMs }) {
      if (!detector.mayEcho(nowMs) || !detector.isEcho(nowMs)) return false;
      echo = { fromMs: echo?.fromMs ?? startMs, untilMs: heardMs };
      return true;
    },
  };
}
