/**
 * One segment of speech on its way through a decoder. At each pause the utterance is ended, because only then does the decoder report
 * whether the words are a whole sentence. If the caller continues, the segment is decoded again from its beginning: pauses are rare, and
 * three seconds of speech take a tenth of a second. If no sentence was found, or only a mixture of several, or the line is noisy, the
 * segment's foreground gets a second opinion.
 */
import type { AwaitedAnswer, SentenceState } from "@voice/provider-kit/ports/recogniser";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type { SpeechDecoder } from "./decoder.ts";
import type { DecoderPool } from "./decoder-pool.ts";
import { deciderOf } from "./decider.ts";
import { digitsSoFar, isCodeOrNothing } from "./code-grammar.ts";
import { doubtOf } from "./doubtful-words.ts";
import { joint } from "./everyday-words.ts";
import { foregroundOf } from "./foreground.ts";
import type { ForegroundSpeech } from "./foreground.ts";
import type { Grammar } from "./grammar.ts";
import { noiseBetween } from "./noise-estimate.ts";
import { withoutNoise } from "./noise-filter.ts";
import type { Opinion } from "./attempt.ts";
import type { SecondOpinion } from "./second-opinion.ts";

export interface SegmentText {
  readonly text: string;
  readonly sentence?: SentenceState | undefined;
  /** What it may have been, if it has no text. */
  readonly guess?: string | undefined;
  /** Of a partial in a pause: what the final will be if nothing follows. */
  readonly concluded?: Conclusion | undefined;
  readonly startMs: number;
  readonly endMs: number;
}

/** A 20 ms frame as received, and as it left the noise gate. */
export interface HeardFrame {
  readonly raw: Int16Array;
  readonly gated: Int16Array;
}

export interface SegmentOptions {
  readonly startMs: number;
  /** The frames received before the segment was created, such as pre-roll. */
  readonly frames: readonly HeardFrame[];
  /** Whether the segment continues through pauses and may have to be decoded again. */
  readonly goesOn: boolean;
  readonly grammar: Grammar;
  readonly awaits: AwaitedAnswer | undefined;
  readonly decoders: DecoderPool;
  readonly sentenceState: (text: string) => SentenceState | undefined;
  readonly secondOpinion: SecondOpinion;
  onPartial(partial: SegmentText): void;
  onFinal(final: SegmentText): void;
}

/** What the caller said, or what they may have said if that is uncertain. */
interface Conclusion {
  readonly text: string;
  readonly guess?: string | undefined;
}

/** How often partials are read; reading one costs as much as decoding a frame. */
const partialFrames = 5;
/** 8 s. Longer audio matches no sentence of any grammar, and would be decoded again and again. */
const maxKeptFrames = 400;

export class Segment {
  readonly startMs: number;
  readonly #options: SegmentOptions;
  /** All frames of the segment, up to a maximum. */
  readonly #heard: HeardFrame[];
  /** Frames not yet decoded. */
  #waiting: HeardFrame[];
  #decoder: SpeechDecoder | undefined;
  #decodedFrames = 0;
  #text = "";
  /** The first word of the last partial that was read. */
  #firstWord = "";
  #endMs: number | undefined;
  #isPausing = false;
  /** The result of ending the utterance in the latest pause. */
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

  /** Words were recognised, but they do not form a sentence of the grammar. */
  get isUnfinished(): boolean {
    return this.#settled?.text === "" && this.#text !== "" && this.#canBeHeardAgain;
  }

  hear(frame: HeardFrame): void {
    if (this.#heard.length < maxKeptFrames) this.#heard.push(frame);
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

  /** Decodes the waiting frames if a decoder is available. `quietMs`: how long the caller has been silent. */
  decode(nowMs: number, quietMs: number): void {
    const { decoders, grammar } = this.#options;
    if (this.#decoder === undefined) {
      this.#decoder = decoders.take(grammar);
      this.#decoder?.forget(); // what it has learnt before belongs to another caller
      this.#decoder?.begin();
    }
    const decoder = this.#decoder;
    if (decoder === undefined) return;
    for (const frame of this.#waiting.splice(0)) {
      decoder.hear(frame.gated);
      this.#decodedFrames += 1;
      // During the silence after the words, partials still vary although nothing more is spoken, so they are not read.
      const isWorthALook = !this.#isPausing && quietMs <= partialFrames * vadFrameMs;
      if (isWorthALook && this.#decodedFrames % partialFrames === 0) this.#lookForPartial(decoder, nowMs);
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
    return this.#heard.length < maxKeptFrames;
  }

  /**
   * Ends the utterance to see whether the words so far are a sentence. If they are not, the partial is reported
   * instead.
   */
  #settle(decoder: SpeechDecoder, nowMs: number): void {
    this.#isPausing = false;
    const sounded = decoder.partialText();
    this.#settled = this.#endOf(decoder, sounded);
    const text = this.#settled.text === "" ? sounded : this.#settled.text;
    if (text !== "") this.#tell(text, nowMs, this.#settled);
  }

  /**
   * Ends the utterance. If the decoder found no sentence, or the line is noisy, the second opinion decides, unless the words are the
   * beginning of a sentence that may still continue.
   */
  #endOf(decoder: SpeechDecoder, sounded: string): Conclusion {
    const { awaits, sentenceState } = this.#options;
    const ended = decoder.end();
    const text = awaits?.type === "digits" ? digitsSoFar(ended, sounded) : ended;
    const isJoined = [text, sounded].some((words) => words.split(" ").includes(joint));
    const sentences = isJoined ? this.grammar.joinedSentences : this.grammar.sentences;
    if (sentences === undefined || !this.#canBeHeardAgain) return { text };
    if (text === "" && sentenceState(sounded) === "beginning") return { text };
    return this.#conclusionOf(text, sentences);
  }

  /** `text`: what the first search found. */
  #conclusionOf(text: string, sentences: Grammar): Conclusion {
    const { secondOpinion, sentenceState } = this.#options;
    const heard = this.#heard.map(({ raw }) => raw);
    const { isSpeech, isForeground, isNoisy, cutNoise, isNoVoice } = foregroundOf(heard);
    if (isNoVoice) return { text: "" };
    const isNoise = isSpeech.map((speech) => !speech);
    const noise = isNoisy ? (cutNoise ?? noiseBetween(heard, isNoise)) : undefined;
    const clean = noise === undefined ? heard : withoutNoise(heard, noise);
    const clear = { frames: clean.filter((_, at) => isSpeech[at]), isNoisy };
    const foreground = clean.filter((_, at) => isForeground[at]);
    const awaited = this.#awaitedAnswer(clear, foreground, text);
    if (awaited !== undefined) return awaited;
    const doubt = doubtOf(text, sentenceState(text), isSpeech.filter(Boolean).length);
    switch (deciderOf({ hasText: text !== "", doubt, isNoisy })) {
      case "first search":
        return { text };
      case "better sentence":
        return { text: secondOpinion.betterSentence(clear, this.grammar.sentences ?? sentences, text) ?? text };
      case "likely sentence": {
        const opinion = secondOpinion.likelySentence(clear, sentences);
        if (opinion?.isSure !== true && text !== "") return { text };
        return this.#textOrGuess(opinion, foreground);
      }
      case "proof":
        return this.#textOrGuess(secondOpinion.sentenceOrWords(clear, sentences, text), foreground);
    }
  }

  #textOrGuess(opinion: Opinion | undefined, foreground: readonly Int16Array[]): Conclusion {
    if (opinion?.isSure === true) return { text: opinion.text };
    return { text: "", guess: this.#options.secondOpinion.yesOrNo(foreground) ?? opinion?.text };
  }

  /** What the agent has asked for, or a greeting if nobody has spoken yet: more probable than other words that sound alike. */
  #awaitedAnswer(clear: ForegroundSpeech, foreground: readonly Int16Array[], text: string): Conclusion | undefined {
    const { awaits, secondOpinion } = this.#options;
    if (awaits?.type === "greeting") {
      const greeting = secondOpinion.greeting(foreground, text);
      return greeting === undefined ? undefined : { text: greeting };
    }
    if (awaits?.type !== "digits" || !isCodeOrNothing(text)) return undefined;
    const code = secondOpinion.code(clear, { ...awaits, heard: text });
    return code && (code.isSure ? { text: code.text } : { text: "", guess: code.text });
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
    // A first word that was read only once may still change or vanish, so it must not interrupt the agent.
    if (isSteady && text !== "" && text !== this.#text) this.#tell(text, nowMs);
  }

  #tell(text: string, nowMs: number, concluded?: Conclusion): void {
    this.#text = text;
    const { onPartial, sentenceState } = this.#options;
    onPartial({ text, sentence: sentenceState(text), concluded, startMs: this.startMs, endMs: nowMs });
  }
}

function firstWord(text: string): string {
  return text.split(" ", 1)[0] ?? "";
}
