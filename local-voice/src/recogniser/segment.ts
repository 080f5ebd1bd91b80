/**
 * One thing that somebody says, on its way through a decoder. At each pause it is decoded to its end, because only the end
 * tells whether the words are a sentence. Who goes on after it is decoded again from the beginning: pauses are fewer than
 * frames, and three seconds of speech take a tenth of one.
 */
import type { SentenceState } from "@voice/provider-kit/ports/recogniser";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type { SpeechDecoder } from "./decoder.ts";
import type { DecoderPool } from "./decoder-pool.ts";
import type { Grammar } from "./grammar.ts";

export interface SegmentText {
  readonly text: string;
  readonly sentence?: SentenceState | undefined;
  readonly startMs: number;
  readonly endMs: number;
}

export interface SegmentOptions {
  readonly startMs: number;
  /** What was heard of it already. */
  readonly frames: readonly Int16Array[];
  /** It may have to be decoded again. */
  readonly keepsFrames: boolean;
  readonly grammar: Grammar;
  readonly decoders: DecoderPool;
  readonly sentenceState: (text: string) => SentenceState | undefined;
  onPartial(partial: SegmentText): void;
  onFinal(final: SegmentText): void;
}

/** How often a partial is looked for; reading it costs as much as a frame of decoding. */
const PARTIAL_FRAMES = 5;
/** 8 s. What is longer is no sentence of any grammar, and would be heard again and again. */
const MAX_KEPT_FRAMES = 400;

export class Segment {
  readonly startMs: number;
  readonly #options: SegmentOptions;
  /** Everything heard, where it is kept. */
  #heard: Int16Array[];
  /** What waits to be decoded. */
  #waiting: Int16Array[];
  #decoder: SpeechDecoder | undefined;
  #decodedFrames = 0;
  #text = "";
  /** Of what it sounded like when it was last looked at. */
  #firstWord = "";
  #endMs: number | undefined;
  #isPausing = false;
  /** What the decoder made of it when it was brought to its end, in a pause. */
  #settled: string | undefined;
  #isOver = false;

  constructor(options: SegmentOptions) {
    this.#options = options;
    this.startMs = options.startMs;
    this.#heard = options.keepsFrames ? [...options.frames] : [];
    this.#waiting = [...options.frames];
  }

  get grammar(): Grammar {
    return this.#options.grammar;
  }

  get heard(): readonly Int16Array[] {
    return this.#heard;
  }

  get endMs(): number | undefined {
    return this.#endMs;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** There were words, and no sentence of the grammar. */
  get isUnfinished(): boolean {
    return this.#settled === "" && this.#text !== "" && this.#canBeHeardAgain;
  }

  hear(frame: Int16Array): void {
    if (this.#options.keepsFrames) this.#heard.push(frame);
    if (this.#settled === undefined) this.#waiting.push(frame);
  }

  pause(): void {
    this.#isPausing = this.#canBeHeardAgain;
  }

  goOn(): void {
    this.#isPausing = false;
    if (this.#settled === undefined) return;
    this.#settled = undefined;
    this.#waiting = [...this.#heard];
    this.#decoder?.begin();
  }

  finish(endMs: number): void {
    this.#endMs = endMs;
  }

  /** Works on what waits, as far as there is a decoder for it. `quietMs`: how long nobody has spoken. */
  decode(nowMs: number, quietMs: number): void {
    const { decoders, grammar } = this.#options;
    if (this.#decoder === undefined) {
      this.#decoder = decoders.take(grammar);
      this.#decoder?.begin();
    }
    const decoder = this.#decoder;
    if (decoder === undefined) return;
    for (const frame of this.#waiting.splice(0)) {
      decoder.hear(frame);
      this.#decodedFrames += 1;
      // In the silence after the words, what is heard is still guessed at, and nothing is said that could change it.
      const isWorthALook = !this.#isPausing && quietMs <= PARTIAL_FRAMES * vadFrameMs;
      if (isWorthALook && this.#decodedFrames % PARTIAL_FRAMES === 0) this.#lookForPartial(decoder, nowMs);
    }
    if (this.#isPausing) this.#settle(decoder, nowMs);
    if (this.#endMs !== undefined) this.#conclude(decoder, this.#endMs);
  }

  abandon(): void {
    if (this.#decoder === undefined) return;
    if (this.#settled === undefined) this.#decoder.end();
    this.#options.decoders.release(this.#decoder);
  }

  get #canBeHeardAgain(): boolean {
    return this.#options.keepsFrames && this.#heard.length < MAX_KEPT_FRAMES;
  }

  /** The words so far, as they would be if this were the end. Where they are no sentence, what they sounded like stays. */
  #settle(decoder: SpeechDecoder, nowMs: number): void {
    this.#isPausing = false;
    const sounded = decoder.partialText();
    this.#settled = decoder.end();
    const text = this.#settled === "" ? sounded : this.#settled;
    if (text !== "") this.#tell(text, nowMs);
  }

  #conclude(decoder: SpeechDecoder, endMs: number): void {
    const { decoders, onFinal, sentenceState } = this.#options;
    const text = (this.#settled ??= decoder.end());
    decoders.release(decoder);
    this.#decoder = undefined;
    this.#isOver = true;
    onFinal({ text, sentence: sentenceState(text), startMs: this.startMs, endMs });
  }

  #lookForPartial(decoder: SpeechDecoder, nowMs: number): void {
    if (this.#endMs !== undefined) return;
    const text = decoder.partialText();
    const isSteady = firstWord(text) === this.#firstWord;
    this.#firstWord = firstWord(text);
    // Seen once it is a guess, which may become another or none: an agent must not be interrupted by it.
    if (isSteady && text !== "" && text !== this.#text) this.#tell(text, nowMs);
  }

  #tell(text: string, nowMs: number): void {
    this.#text = text;
    const { onPartial, sentenceState } = this.#options;
    onPartial({ text, sentence: sentenceState(text), startMs: this.startMs, endMs: nowMs });
  }
}

function firstWord(text: string): string {
  return text.split(" ", 1)[0] ?? "";
}
