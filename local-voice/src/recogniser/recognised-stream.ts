/** One session's audio in its worker thread: cut into frames and segments, each of which goes through a decoder. */
import { createFramer } from "@voice/provider-kit/audio/framing";
import { createResampler, type Resampler } from "@voice/provider-kit/audio/resample";
import type { AwaitedAnswer, SentenceState } from "@voice/provider-kit/ports/recogniser";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type { CreateVoiceActivityDetector, VoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { decoderRateHz } from "./decoder.ts";
import type { DecoderPool } from "./decoder-pool.ts";
import type { Grammar } from "./grammar.ts";
import { createNoiseGate } from "./noise-gate.ts";
import type { CreateNoiseSuppressor, NoiseSuppressor } from "./noise-suppressor.ts";
import { Segment } from "./segment.ts";
import type { HeardFrame, SegmentText } from "./segment.ts";
import type { SecondOpinion } from "./second-opinion.ts";
import { Utterance } from "./utterance.ts";
import type { UtteredSpeech } from "./utterance.ts";
import { createSegmenter, maxPrerollFrames, type Segmenter } from "@voice/provider-kit/voice-activity/segmenter";

export interface RecognisedStreamOptions {
  readonly sampleRateHz: number;
  readonly segmentationSilenceMs: number;
  /**
   * If set, a segment continues through pauses up to this length, and audio flushed in mid-sentence is decoded again
   * with what follows.
   */
  readonly longestPauseMs?: number | undefined;
  readonly decoders: DecoderPool;
  readonly createDetector: CreateVoiceActivityDetector;
  /** Undefined: the audio is recognised as it comes. */
  readonly suppressNoise?: CreateNoiseSuppressor | undefined;
  readonly grammar: Grammar;
  readonly awaits: AwaitedAnswer | undefined;
  readonly secondOpinion: SecondOpinion;
  /** How a segment's words relate to the sentences that its grammar expects. */
  readonly sentenceState?: (grammar: Grammar, text: string) => SentenceState | undefined;
  /** Receives the caller's speech for another recogniser: in each pause, at the end, and from time to time in between. */
  readonly onSpeech?: ((speech: UtteredSpeech) => void) | undefined;
  onPartial(partial: SegmentText): void;
  onFinal(final: SegmentText): void;
}

const frameSamples = (decoderRateHz * vadFrameMs) / 1_000;
/** Speech that resumes after this long starts another sentence. */
const rejoinMs = 2_500;

export class RecognisedStream {
  /** The grammar for the next segment. */
  grammar: Grammar;
  /** The answer that the next segment is expected to be. */
  awaits: AwaitedAnswer | undefined;
  readonly #options: RecognisedStreamOptions;
  readonly #resampler: Resampler;
  readonly #suppressor: NoiseSuppressor | undefined;
  readonly #framer = createFramer(frameSamples);
  readonly #segmenter: Segmenter;
  readonly #detector: VoiceActivityDetector;
  readonly #noiseGate = createNoiseGate();
  readonly #preroll: HeardFrame[] = [];
  /** In order; more than one only while decoders are scarce. */
  readonly #segments: Segment[] = [];
  /** The last segment, if no whole sentence was found in it: the caller may be in the middle of one. */
  #unfinished: Segment | undefined;
  #utterance: Utterance | undefined;
  #heardMs = 0;
  #lastSpeechMs = 0;

  constructor(options: RecognisedStreamOptions) {
    this.#options = options;
    this.grammar = options.grammar;
    this.awaits = options.awaits;
    this.#resampler = createResampler(options.sampleRateHz, decoderRateHz);
    this.#suppressor = options.suppressNoise?.();
    this.#segmenter = createSegmenter({
      frameMs: vadFrameMs,
      silenceMs: options.longestPauseMs ?? options.segmentationSilenceMs,
    });
    this.#detector = options.createDetector({ sampleRateHz: decoderRateHz, sensitivity: "medium" });
  }

  write(samples: Int16Array): void {
    const heard = this.#resampler.process(samples);
    this.#framer.push(this.#suppressor?.process(heard) ?? heard, this.#hear);
  }

  flush(): void {
    const last = this.#framer.flush();
    if (last !== undefined) this.#hear(last);
    const ended = this.#segmenter.flush();
    if (ended === undefined) return;
    this.#endUtterance(ended.endMs);
    this.#segments.at(-1)?.finish(ended.endMs);
    this.resume();
  }

  /** Decodes the waiting segments; called when a decoder may have become free. */
  resume(): void {
    for (let [segment] = this.#segments; segment !== undefined; [segment] = this.#segments) {
      segment.decode(this.#heardMs, this.#heardMs - this.#lastSpeechMs);
      if (!segment.isOver) return; // the next segment waits until this one is done
      this.#segments.shift();
      if (this.#options.longestPauseMs !== undefined) this.#unfinished = segment.isUnfinished ? segment : undefined;
    }
  }

  /** The words of the last segment are known, even if they are no sentence: what follows does not have to be heard together with them. */
  forget(): void {
    this.#unfinished = undefined;
  }

  close(): void {
    this.#detector.close();
    this.#suppressor?.close();
    for (const segment of this.#segments.splice(0)) segment.abandon();
  }

  readonly #hear = (frame: Int16Array): void => {
    this.#heardMs += vadFrameMs;
    const isSpeech = this.#detector.isSpeech(frame);
    if (isSpeech) this.#lastSpeechMs = this.#heardMs;
    const step = this.#segmenter.next(isSpeech);
    const heard: HeardFrame = { raw: frame, gated: this.#noiseGate.apply(frame) };
    this.#preroll.push(heard);
    if (this.#preroll.length > maxPrerollFrames) this.#preroll.shift();

    if (step.type === "idle") return;
    if (step.type === "begin") this.#begin(step.startMs, this.#preroll.slice(-step.prerollFrames));
    else {
      this.#segments.at(-1)?.hear(heard);
      this.#utterance?.hear(frame);
    }
    if (isSpeech) this.#utterance?.goOn(this.#heardMs);
    if (step.type === "pause") this.#utterance?.pause(step.endMs, this.#heardMs);
    if (step.type === "end") this.#endUtterance(step.endMs);
    if (this.#options.longestPauseMs !== undefined) {
      if (step.type === "pause") this.#segments.at(-1)?.pause();
      if (step.type === "resume") this.#segments.at(-1)?.goOn();
    }
    if (step.type === "end") this.#segments.at(-1)?.finish(step.endMs);
    this.resume();
  };

  /** Before the grammar's result, which may take a while. */
  #endUtterance(endMs: number): void {
    this.#utterance?.pause(endMs, this.#heardMs);
    this.#utterance = undefined;
  }

  #begin(startMs: number, frames: HeardFrame[]): void {
    const { decoders, secondOpinion, onSpeech, onPartial, onFinal, sentenceState } = this.#options;
    if (onSpeech !== undefined)
      this.#utterance = new Utterance(
        startMs,
        frames.map(({ raw }) => raw),
        onSpeech,
      );
    const { grammar } = this;
    const before = this.#unfinished;
    this.#unfinished = undefined;
    const goesOn = before?.endMs !== undefined && startMs - before.endMs < rejoinMs && before.grammar === grammar;
    const segment = new Segment({
      startMs: goesOn ? before.startMs : startMs,
      // The pre-roll may begin in the silence at the end of the previous segment.
      frames: goesOn ? [...new Set([...before.heard, ...frames])] : frames,
      goesOn: this.#options.longestPauseMs !== undefined,
      grammar,
      awaits: this.awaits,
      decoders,
      secondOpinion,
      sentenceState: (text) => sentenceState?.(grammar, text),
      onPartial,
      onFinal,
    });
    this.#segments.push(segment);
  }
}
