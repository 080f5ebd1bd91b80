/** One session's audio in its worker thread: cut into frames, into segments, each through a decoder. */
import { createFramer } from "@voice/provider-kit/audio/framing";
import { createResampler, type Resampler } from "@voice/provider-kit/audio/resample";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type { CreateVoiceActivityDetector, VoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { decoderRateHz } from "./decoder.ts";
import type { SpeechDecoder } from "./decoder.ts";
import type { DecoderPool } from "./decoder-pool.ts";
import type { Grammar } from "./grammar.ts";
import { createNoiseGate } from "./noise-gate.ts";
import { createSegmenter, maxPrerollFrames, type Segmenter } from "./segmenter.ts";

export interface SegmentText {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface RecognisedStreamOptions {
  readonly sampleRateHz: number;
  readonly segmentationSilenceMs: number;
  readonly decoders: DecoderPool;
  readonly createDetector: CreateVoiceActivityDetector;
  readonly grammar: Grammar;
  onPartial(partial: SegmentText): void;
  onFinal(final: SegmentText): void;
}

const FRAME_SAMPLES = (decoderRateHz * vadFrameMs) / 1_000;
/** How often a partial is looked for; reading it costs as much as a frame of decoding. */
const PARTIAL_FRAMES = 5;

interface Segment {
  readonly startMs: number;
  readonly grammar: Grammar;
  decoder: SpeechDecoder | undefined;
  /** What waits to be decoded, because there was no decoder. */
  readonly frames: Int16Array[];
  decodedFrames: number;
  endMs: number | undefined;
  /** Of what it sounded like when it was last looked at. */
  firstWord: string;
  text: string;
}

export class RecognisedStream {
  /** What the next segment is compared with. */
  grammar: Grammar;
  readonly #options: RecognisedStreamOptions;
  readonly #resampler: Resampler;
  readonly #framer = createFramer(FRAME_SAMPLES);
  readonly #segmenter: Segmenter;
  readonly #detector: VoiceActivityDetector;
  readonly #noiseGate = createNoiseGate();
  readonly #preroll: Int16Array[] = [];
  /** In order; more than one only while decoders are short. */
  readonly #segments: Segment[] = [];
  #heardMs = 0;
  #lastSpeechMs = 0;

  constructor(options: RecognisedStreamOptions) {
    this.#options = options;
    this.grammar = options.grammar;
    this.#resampler = createResampler(options.sampleRateHz, decoderRateHz);
    this.#segmenter = createSegmenter({ frameMs: vadFrameMs, silenceMs: options.segmentationSilenceMs });
    this.#detector = options.createDetector({ sampleRateHz: decoderRateHz, sensitivity: "medium" });
  }

  write(samples: Int16Array): void {
    this.#framer.push(this.#resampler.process(samples), this.#hear);
  }

  flush(): void {
    const last = this.#framer.flush();
    if (last !== undefined) this.#hear(last);
    const ended = this.#segmenter.flush();
    if (ended === undefined) return;
    this.#end(ended.endMs);
    this.resume();
  }

  /** Decodes what waits; to be called when a decoder may have become free. */
  resume(): void {
    for (let [segment] = this.#segments; segment !== undefined; [segment] = this.#segments) {
      this.#decode(segment);
      if (this.#segments[0] === segment) return; // not over yet; the next one waits for its end
    }
  }

  close(): void {
    this.#detector.close();
    for (const { decoder } of this.#segments.splice(0)) {
      if (decoder === undefined) continue;
      decoder.end();
      this.#options.decoders.release(decoder);
    }
  }

  readonly #hear = (frame: Int16Array): void => {
    this.#heardMs += vadFrameMs;
    const isSpeech = this.#detector.isSpeech(frame);
    if (isSpeech) this.#lastSpeechMs = this.#heardMs;
    const step = this.#segmenter.next(isSpeech);
    this.#noiseGate.apply(frame); // after the detector, which has a floor of its own
    this.#preroll.push(frame);
    if (this.#preroll.length > maxPrerollFrames) this.#preroll.shift();

    if (step.type === "idle") return;
    if (step.type === "begin") this.#begin(step.startMs, this.#preroll.slice(-step.prerollFrames));
    else this.#segments.at(-1)?.frames.push(frame);
    if (step.type === "end") this.#end(step.endMs);
    this.resume();
  };

  #begin(startMs: number, frames: Int16Array[]): void {
    const { grammar } = this;
    this.#segments.push({
      startMs,
      grammar,
      decoder: undefined,
      frames,
      decodedFrames: 0,
      endMs: undefined,
      firstWord: "",
      text: "",
    });
  }

  #end(endMs: number): void {
    const segment = this.#segments.at(-1);
    if (segment !== undefined) segment.endMs = endMs;
  }

  #decode(segment: Segment): void {
    const { decoders, onFinal } = this.#options;
    if (segment.decoder === undefined) {
      segment.decoder = decoders.take(segment.grammar);
      segment.decoder?.begin();
    }
    const { decoder } = segment;
    if (decoder === undefined) return;
    for (const frame of segment.frames.splice(0)) {
      decoder.hear(frame);
      segment.decodedFrames += 1;
      if (segment.decodedFrames % PARTIAL_FRAMES === 0) this.#lookForPartial(segment, decoder);
    }
    if (segment.endMs === undefined) return;
    const text = decoder.end();
    decoders.release(decoder);
    this.#segments.shift();
    onFinal({ text, startMs: segment.startMs, endMs: segment.endMs });
  }

  #lookForPartial(segment: Segment, decoder: SpeechDecoder): void {
    // In the silence after the words, what is heard is still guessed at, and nothing is said that could change it.
    if (segment.endMs !== undefined || this.#heardMs - this.#lastSpeechMs > PARTIAL_FRAMES * vadFrameMs) return;
    const text = decoder.partialText();
    const isSteady = firstWord(text) === segment.firstWord;
    segment.firstWord = firstWord(text);
    // Seen once it is a guess, which may become another or none: an agent must not be interrupted by it.
    if (!isSteady || text === "" || text === segment.text) return;
    segment.text = text;
    this.#options.onPartial({ text, startMs: segment.startMs, endMs: this.#heardMs });
  }
}

function firstWord(text: string): string {
  return text.split(" ", 1)[0] ?? "";
}
