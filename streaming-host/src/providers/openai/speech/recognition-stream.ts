/**
 * One session's audio: split into frames, classified by our own detector, and cut into segments that are each
 * transcribed.
 */
import { createFramer } from "@voice/provider-kit/audio/framing";
import { createResampler } from "@voice/provider-kit/audio/resample";
import type { Resampler } from "@voice/provider-kit/audio/resample";
import type {
  RecognisedText,
  RecognitionEvents,
  RecognitionHints,
  RecognitionOptions,
  RecognitionStream,
} from "@voice/provider-kit/ports/recogniser";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type { CreateVoiceActivityDetector, VoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { createSegmenter, maxPrerollFrames } from "@voice/provider-kit/voice-activity/segmenter";
import type { Segmenter } from "@voice/provider-kit/voice-activity/segmenter";
import { primaryLanguage } from "@voice/shared/languages/packs";
import { UpstreamAccessError, isAbort, toVoiceError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";
import { Segment } from "./segment.ts";
import { transcribedRateHz } from "./transcriber.ts";
import type { Transcriber } from "./transcriber.ts";

export interface TranscribedStreamOptions {
  readonly recognition: RecognitionOptions;
  readonly transcriber: Transcriber;
  readonly createDetector: CreateVoiceActivityDetector;
  readonly events: RecognitionEvents;
  /** Called once, when the stream is over for whatever reason. */
  onClosed(): void;
}

export class TranscribedStream implements RecognitionStream {
  readonly #options: TranscribedStreamOptions;
  readonly #resampler: Resampler;
  readonly #framer = createFramer((transcribedRateHz * vadFrameMs) / 1000);
  readonly #segmenter: Segmenter;
  readonly #detector: VoiceActivityDetector;
  /** The newest frames, each with the detector's result. */
  readonly #preroll: { readonly frame: Int16Array; readonly isSpeech: boolean }[] = [];
  readonly #open = new Set<Segment>();
  #segment: Segment | undefined;
  #hints: RecognitionHints;
  #heardMs = 0;
  /** Finals are reported in the order in which they were spoken, however long each transcription takes. */
  #tail: Promise<void> = Promise.resolve();
  #isOpen = true;

  constructor(options: TranscribedStreamOptions) {
    const { sampleRateHz, segmentationSilenceMs, longestPauseMs, hints } = options.recognition;
    this.#options = options;
    this.#hints = hints;
    this.#resampler = createResampler(sampleRateHz, transcribedRateHz);
    this.#segmenter = createSegmenter({ frameMs: vadFrameMs, silenceMs: longestPauseMs ?? segmentationSilenceMs });
    this.#detector = options.createDetector({ sampleRateHz: transcribedRateHz, sensitivity: "medium" });
  }

  write(samples: Int16Array): void {
    if (this.#isOpen) this.#framer.push(this.#resampler.process(samples), this.#hear);
  }

  flush(): void {
    if (!this.#isOpen) return;
    const last = this.#framer.flush();
    if (last !== undefined) this.#hear(last);
    const ended = this.#segmenter.flush();
    if (ended !== undefined) this.#end(ended.endMs);
  }

  /** A segment in progress keeps the phrases with which it started. */
  setHints(hints: RecognitionHints): boolean {
    this.#hints = hints;
    return true;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#detector.close();
    for (const segment of this.#open) segment.close();
    this.#options.onClosed();
  }

  /** A field, so that it is not created for each frame. */
  readonly #hear = (frame: Int16Array): void => {
    this.#heardMs += vadFrameMs;
    const isSpeech = this.#detector.isSpeech(frame);
    const step = this.#segmenter.next(isSpeech);
    this.#preroll.push({ frame, isSpeech });
    if (this.#preroll.length > maxPrerollFrames) this.#preroll.shift();
    if (step.type === "idle") return;
    if (step.type === "begin") this.#begin(step.startMs, step.prerollFrames);
    else this.#segment?.hear(frame, isSpeech, this.#heardMs);
    if (step.type === "pause") this.#segment?.pause();
    if (step.type === "end") this.#end(step.endMs);
  };

  #begin(startMs: number, prerollFrames: number): void {
    const { recognition, transcriber } = this.#options;
    const heard = { ...recognition, hints: this.#hints };
    const language = this.#languageOf();
    const preroll = this.#preroll.slice(-prerollFrames);
    const segment = new Segment({
      startMs,
      frames: preroll.map(({ frame }) => frame),
      heard,
      transcriber,
      onPartial: (partial) => {
        if (this.#isOpen && this.#open.has(segment)) this.#options.events.onPartial({ ...partial, language });
      },
      onRefused: (error) => (error instanceof UpstreamAccessError ? this.#fail(error) : undefined),
    });
    for (const { isSpeech } of preroll) segment.said(isSpeech, this.#heardMs);
    this.#segment = segment;
    this.#open.add(segment);
  }

  #end(endMs: number): void {
    const segment = this.#segment;
    if (segment === undefined) return;
    this.#segment = undefined;
    const usual = this.#languageOf();
    this.#tail = this.#conclude(segment, this.#tail, (text) => {
      const { startMs, language } = segment;
      return { text, startMs, endMs, ...this.#heardIn(language, usual) };
    });
  }

  async #conclude(segment: Segment, before: Promise<void>, toFinal: (text: string) => RecognisedText): Promise<void> {
    try {
      const text = await segment.finish();
      await before;
      this.#open.delete(segment);
      if (this.#isOpen) this.#options.events.onFinal(toFinal(text));
    } catch (error) {
      if (isAbort(error)) return;
      await before.catch(() => undefined);
      this.#open.delete(segment);
      this.#failOver(toVoiceError(error));
    }
  }

  /** A server that rejects one piece of audio may accept the next; it would reject the same one again. */
  #failOver(error: VoiceError): void {
    const isOfPiece =
      !error.retryable && error.code === "upstream_unavailable" && !(error instanceof UpstreamAccessError);
    if (!isOfPiece || this.#options.events.onUnknown === undefined) this.#fail(error);
    else if (this.#isOpen) this.#options.events.onUnknown(error);
  }

  #languageOf(): string {
    return this.#hints.language ?? this.#options.recognition.language;
  }

  /** What the server names is believed only where it had a choice. */
  #heardIn(named: string | undefined, usual: string): Pick<RecognisedText, "language" | "isIdentified"> {
    const { candidateLanguages } = this.#options.recognition;
    const languages = [usual, ...candidateLanguages];
    const found =
      candidateLanguages.length === 0 ? undefined : languages.find((each) => primaryLanguage(each) === named);
    return found === undefined ? { language: usual } : { language: found, isIdentified: true };
  }

  #fail(error: VoiceError): void {
    if (!this.#isOpen) return;
    this.close();
    this.#options.events.onError(error);
  }
}
