/** BARGE-10: prevents the agent's own echo from being taken for the caller. Sits between the speech detector and the session. */
import { EchoDetector } from "@voice/provider-kit/audio/echo-detector";
import type { RecentAudio } from "@voice/provider-kit/audio/recent-audio";
import type { SpeechChange } from "./speech-detector.ts";

export interface HeardFrame {
  readonly samples: Int16Array;
  /** Milliseconds of the session's audio, including this frame. */
  readonly heardMs: number;
  readonly nowMs: number;
  readonly change: SpeechChange | undefined;
  readonly isSpeaking: boolean;
}

/** 80 ms, so that a caller who speaks over an echo is detected no later than without an echo. */
const framesBetweenLooks = 4;
/** How many frames are compared: a caller who is detected at the end of this window started to speak within it. */
const waitingFrames = 12;
/** Recognisers place the beginning of words too early by up to this much, and the end of an echo may sound like one more word. */
const wordMarginMs = 300;

/** Two echoes less than this far apart may belong to the same reply, because a recogniser continues a segment for that long. */
const sameReplyMs = 3000;

/** The beginning and end of an echo, in milliseconds of the session's audio. */
interface EchoSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

export class EchoGuard {
  readonly #detector: EchoDetector;
  #echo: EchoSpan | undefined;
  #isEchoing = false;
  #framesSinceLook = 0;
  #waiting: Int16Array[] = [];

  /** `line`: the caller's audio at 16 kHz. The caller adds each frame to it before the frame is judged. */
  constructor(line: RecentAudio) {
    this.#detector = new EchoDetector(line);
  }

  /** The newest frame contains the agent's own voice. */
  get isEchoing(): boolean {
    return this.#isEchoing;
  }

  agentSays(frame: Int16Array, sampleRateHz: number, playsAtMs: number): void {
    this.#detector.agentSays(frame, sampleRateHz, playsAtMs);
  }

  /**
   * Separates the caller's speech from the agent's echo. `pass` receives every frame once, in order, with the agent's voice replaced by
   * silence. During an echo, frames are delayed until it is certain that nobody is speaking over it. While there is no echo, a frame
   * without a speech change need not be judged.
   */
  judge(frame: HeardFrame, pass: (samples: Int16Array, isCaller: boolean) => void): SpeechChange | undefined {
    const change = this.#decide(frame);
    if (this.#isEchoing) {
      this.#waiting.push(frame.samples);
      const oldest = this.#waiting.length > waitingFrames ? this.#waiting.shift() : undefined;
      if (oldest !== undefined) pass(new Int16Array(oldest.length), false);
      return undefined;
    }
    if (this.#waiting.length > 0) {
      const isCaller = change?.type === "started";
      for (const samples of this.#waiting) pass(isCaller ? samples : new Int16Array(samples.length), isCaller);
      this.#waiting = [];
    }
    pass(frame.samples, frame.isSpeaking);
    return change;
  }

  /** Whether a transcript that began at this position, in milliseconds of the session's audio, consists of the agent's own words. */
  isOwnWords(startMs: number): boolean {
    const echo = this.#echo;
    return echo !== undefined && startMs >= echo.fromMs - wordMarginMs && startMs <= echo.untilMs + wordMarginMs;
  }

  /** The same for a transcript that arrives without detected speech, because a recogniser also picks up faint sound. */
  isFaintEcho(startMs: number, { heardMs, nowMs }: { readonly heardMs: number; readonly nowMs: number }): boolean {
    if (!this.#detector.mayEcho(nowMs) || !this.#detector.isEcho(nowMs)) return false;
    this.#noteEcho(startMs, heardMs);
    return true;
  }

  /** Decides what the detected change means: it is echo, it is the caller, or neither has started. */
  #decide({ change, heardMs, isSpeaking, nowMs }: HeardFrame): SpeechChange | undefined {
    if (change?.type === "started") {
      this.#isEchoing = this.#detector.mayEcho(nowMs) && this.#detector.isEcho(nowMs);
      this.#framesSinceLook = 0;
      if (this.#isEchoing) this.#noteEcho(heardMs, heardMs);
      else this.#echo = undefined;
      return this.#isEchoing ? undefined : change;
    }
    if (!this.#isEchoing) return change;
    if (!isSpeaking) {
      this.#isEchoing = false;
      return undefined;
    }
    this.#noteEcho(heardMs, heardMs);
    if (++this.#framesSinceLook < framesBetweenLooks) return undefined;
    this.#framesSinceLook = 0;
    if (this.#detector.isEcho(nowMs)) return undefined;
    this.#isEchoing = false;
    this.#echo = undefined;
    return { type: "started", framesAgo: this.#waiting.length };
  }

  #noteEcho(fromMs: number, untilMs: number): void {
    const before = this.#echo;
    const goesOn = before !== undefined && fromMs - before.untilMs < sameReplyMs;
    this.#echo = { fromMs: goesOn ? Math.min(before.fromMs, fromMs) : fromMs, untilMs };
  }
}
