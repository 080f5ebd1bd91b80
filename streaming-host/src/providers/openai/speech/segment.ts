/**
 * One segment of speech while it is transcribed. It is sent as soon as the speaker pauses, because the pause may be the end; if it is, the
 * transcript is there before the turn's wait is over. If the speaker continues, the segment grows and is sent again.
 */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import type { RecognisedText } from "@voice/provider-kit/ports/recogniser";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import { VoiceError, isAbort, toVoiceError } from "@voice/shared/platform/errors";
import { plausibleSpeech } from "./plausible-speech.ts";
import type { Transcriber } from "./transcriber.ts";
import type { HeardIn } from "./transcription-params.ts";

export interface SegmentOptions {
  readonly startMs: number;
  /** Starts shortly before the speech. */
  readonly frames: readonly Int16Array[];
  readonly heard: HeardIn;
  readonly transcriber: Transcriber;
  onPartial(partial: Omit<RecognisedText, "language">): void;
  /** Transcription has failed permanently for this segment. */
  onRefused(error: VoiceError): void;
}

interface Request {
  /** How much speech the segment contained when the request was made. */
  readonly spokenFrames: number;
  readonly text: Promise<string>;
  readonly abort: AbortController;
}

/** Anything shorter is a knock or a cough. */
const leastVoicedFrames = 5;
/**
 * After how many frames the text so far is requested once, because an interruption must be recognised while the caller is still speaking.
 * Only once, because each request sends the audio again.
 */
const firstLookFrames = 40;

export class Segment {
  readonly startMs: number;
  readonly #options: SegmentOptions;
  readonly #frames: Int16Array[];
  #voicedFrames = 0;
  #lastSpeechMs: number;
  #isPaused = false;
  #request: Request | undefined;
  #isClosed = false;
  #language: string | undefined;

  constructor(options: SegmentOptions) {
    this.#options = options;
    this.startMs = options.startMs;
    this.#lastSpeechMs = options.startMs;
    this.#frames = [...options.frames];
  }

  /** As the server named it with the latest transcript (ISO 639-1); undefined if it does not. */
  get language(): string | undefined {
    return this.#language;
  }

  hear(frame: Int16Array, isSpeech: boolean, nowMs: number): void {
    this.#frames.push(frame);
    this.said(isSpeech, nowMs);
    if (this.#request === undefined && this.#voicedFrames === firstLookFrames) this.#ask();
  }

  /** Classifies a frame that was already added. */
  said(isSpeech: boolean, nowMs: number): void {
    if (!isSpeech) return;
    this.#voicedFrames += 1;
    this.#lastSpeechMs = nowMs;
    this.#isPaused = false;
  }

  pause(): void {
    this.#isPaused = true;
    if (this.#request?.spokenFrames !== this.#voicedFrames) this.#ask();
  }

  /** Resolves to the transcript. Nothing more is added to this segment. */
  async finish(): Promise<string> {
    if (this.#voicedFrames < leastVoicedFrames) return "";
    this.#isPaused = true;
    if (this.#request?.spokenFrames === this.#voicedFrames) {
      const text = await this.#request.text.catch((error: unknown) => this.#unlessClosed(error));
      if (text !== undefined) return text;
    }
    return await this.#ask().text;
  }

  close(): void {
    this.#isClosed = true;
    this.#request?.abort.abort();
  }

  /** A request that failed while nobody waited for it is repeated, unless the server would reject it again. */
  #unlessClosed(error: unknown): undefined {
    if (this.#isClosed || (error instanceof VoiceError && !error.retryable)) throw error;
  }

  /** An earlier request may still be answered; only the newer of two responses counts. */
  #ask(): Request {
    this.#request?.abort.abort();
    const abort = new AbortController();
    const text = this.#transcribe(abort.signal);
    const request: Request = { spokenFrames: this.#voicedFrames, text, abort };
    this.#request = request;
    text.then(
      (words) => this.#tell(request, words),
      (error: unknown) => {
        if (isAbort(error) || this.#isClosed || this.#request !== request) return;
        const refusal = toVoiceError(error);
        if (!refusal.retryable) this.#options.onRefused(refusal);
      },
    );
    return request;
  }

  async #transcribe(signal: AbortSignal): Promise<string> {
    const { transcriber, heard } = this.#options;
    const voicedMs = this.#voicedFrames * vadFrameMs;
    const durationMs = this.#lastSpeechMs - this.startMs;
    // If audio arrives all at once, as for a stream that takes over, the request is made once the last of it is there.
    await Promise.resolve();
    signal.throwIfAborted();
    const whenSpoken = (text: string): void => {
      if (!this.#isPaused && !signal.aborted) this.#options.onPartial(this.#toText(text));
    };
    const samples = joinSamples(this.#frames);
    const { text, meanLogprob, language } = await transcriber.transcribe(samples, heard, signal, whenSpoken);
    this.#language = language;
    return plausibleSpeech({ text, meanLogprob, durationMs, voicedMs, phrases: heard.hints.phrases });
  }

  #tell(request: Request, text: string): void {
    if (this.#isClosed || this.#request !== request || text === "") return;
    this.#options.onPartial(this.#toText(text));
  }

  #toText(text: string): Omit<RecognisedText, "language"> {
    return { text, startMs: this.startMs, endMs: this.#lastSpeechMs };
  }
}
