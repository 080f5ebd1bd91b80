/**
 * One thing that somebody says, on its way through a decoder. At each pause it is decoded to its end, because only the end
 * tells whether the words are a sentence. Who goes on after it is decoded again from the beginning: pauses are fewer than
 * frames, and three seconds of speech take a tenth of one. Where no sentence was found, only a mixture of several, or the line is
 * noisy, the foreground of what was heard gets a second opinion.
 */
import type { SentenceState } from "@voice/provider-kit/ports/recogniser";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type { SpeechDecoder } from "./decoder.ts";
import type { DecoderPool } from "./decoder-pool.ts";
import { foregroundOf } from "./foreground.ts";
import type { Grammar } from "./grammar.ts";
import { withoutNoise } from "./noise-filter.ts";
import type { SecondOpinion } from "./second-opinion.ts";

export interface SegmentText {
  readonly text: string;
  readonly sentence?: SentenceState | undefined;
  /** What it may have been, where it has no text. */
  readonly guess?: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
}

/** 20 ms as they came, and as the noise gate lets them through. */
export interface HeardFrame {
  readonly raw: Int16Array;
  readonly gated: Int16Array;
}

export interface SegmentOptions {
  readonly startMs: number;
  /** What was heard of it already. */
  readonly frames: readonly HeardFrame[];
  /** Whether it goes on through pauses, and may have to be decoded again. */
  readonly goesOn: boolean;
  readonly grammar: Grammar;
  readonly decoders: DecoderPool;
  readonly sentenceState: (text: string) => SentenceState | undefined;
  readonly secondOpinion: SecondOpinion;
  onPartial(partial: SegmentText): void;
  onFinal(final: SegmentText): void;
}

/** What somebody has said; or, where that cannot be told, what it may have been. */
interface Conclusion {
  readonly text: string;
  readonly guess?: string | undefined;
}

/** How often a partial is looked for; reading it costs as much as a frame of decoding. */
const PARTIAL_FRAMES = 5;
/** 8 s. What is longer is no sentence of any grammar, and would be heard again and again. */
const MAX_KEPT_FRAMES = 400;

export class Segment {
  readonly startMs: number;
  readonly #options: SegmentOptions;
  /** Everything heard, up to a length. */
  readonly #heard: HeardFrame[];
  /** What waits to be decoded. */
  #waiting: HeardFrame[];
  #decoder: SpeechDecoder | undefined;
  #decodedFrames = 0;
  #text = "";
  /** Of what it sounded like when it was last looked at. */
  #firstWord = "";
  #endMs: number | undefined;
  #isPausing = false;
  /** What the decoder made of it when it was brought to its end, in a pause. */
  #settled: Conclusion | undefined;
  #isOver = false;

  constructor(options: SegmentOptions) {
    this.#options = options;
    this.startMs = options.startMs;
    this.#heard = [...options.frames];
    this.#waiting = [...options.frames];
  }

  get grammar(): Grammar {
    return this.#options.grammar;
  }

  get heard(): readonly HeardFrame[] {
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
    return this.#settled?.text === "" && this.#text !== "" && this.#canBeHeardAgain;
  }

  hear(frame: HeardFrame): void {
    if (this.#heard.length < MAX_KEPT_FRAMES) this.#heard.push(frame);
    if (this.#settled === undefined) this.#waiting.push(frame);
  }

  pause(): void {
    this.#isPausing = this.#options.goesOn && this.#canBeHeardAgain;
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
      this.#decoder?.forget(); // what it heard before was somebody else
      this.#decoder?.begin();
    }
    const decoder = this.#decoder;
    if (decoder === undefined) return;
    for (const frame of this.#waiting.splice(0)) {
      decoder.hear(frame.gated);
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
    return this.#heard.length < MAX_KEPT_FRAMES;
  }

  /** The words so far, as they would be if this were the end. Where they are no sentence, what they sounded like stays. */
  #settle(decoder: SpeechDecoder, nowMs: number): void {
    this.#isPausing = false;
    const sounded = decoder.partialText();
    this.#settled = this.#endOf(decoder, sounded);
    const text = this.#settled.text === "" ? sounded : this.#settled.text;
    if (text !== "") this.#tell(text, nowMs);
  }

  /** What the decoder has found at its end; or on second thoughts, unless it is the beginning of more. */
  #endOf(decoder: SpeechDecoder, sounded: string): Conclusion {
    const text = decoder.end();
    const { secondOpinion, sentenceState } = this.#options;
    const { sentences } = this.grammar;
    if (sentences === undefined || !this.#canBeHeardAgain) return { text };
    if (text === "" && sentenceState(sounded) === "beginning") return { text };
    const heard = this.#heard.map(({ raw }) => raw);
    const { isSpeech, isNoisy, isNoVoice } = foregroundOf(heard);
    if (isNoVoice) return { text: "" };
    const isMixture = text.includes(" ") && sentenceState(text) === undefined;
    if (!isNoisy && text !== "" && !isMixture) return { text };
    const clear = (isNoisy ? withoutNoise(heard, isSpeech) : heard).filter((_, at) => isSpeech[at]);
    const opinion = isMixture ? secondOpinion.ofMixture(clear, sentences, text) : secondOpinion.of(clear, sentences);
    if (opinion?.isSure === true) return { text: opinion.text };
    return text === "" || isMixture ? { text: "", guess: opinion?.text } : { text };
  }

  #conclude(decoder: SpeechDecoder, endMs: number): void {
    const { decoders, onFinal, sentenceState } = this.#options;
    const { text, guess } = (this.#settled ??= this.#endOf(decoder, decoder.partialText()));
    decoders.release(decoder);
    this.#decoder = undefined;
    this.#isOver = true;
    onFinal({ text, sentence: sentenceState(text), guess, startMs: this.startMs, endMs });
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
