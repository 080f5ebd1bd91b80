/** Queues a reply's clauses so that they play in order, whatever the order in which their audio arrives (PLAY-6). */
import type { Guardrail } from "@voice/shared/catalog/guardrail";
import type { SpokenWord, Voice } from "@voice/provider-kit/ports/synthesiser";
import { isUnspaced, wordEnds } from "./unspaced-text.ts";

/** The destination of a reply's audio. Positions are samples from the reply's beginning. */
export interface SpeechSink {
  readonly length: number;
  /** Announces a clause; returns the offset of its text in the reply's. */
  beginText(text: string): number;
  write(samples: Int16Array): void;
  mark(mark: { readonly textEnd: number; readonly endSample: number }): void;
  complete(): void;
}

/** An agent's voice and guardrails. */
export interface NamedVoice {
  readonly name: string;
  readonly voice: Voice;
  readonly speech?: { readonly language?: string | undefined } | undefined;
  /** The guardrails; each clause is checked before its text reaches the synthesiser. */
  readonly guardrails?: readonly Guardrail[] | undefined;
}

export interface Clause {
  readonly text: string;
  readonly speaker: NamedVoice;
  /** Audio that arrived before the clause was first in line. */
  readonly audio: Int16Array[];
  readonly words: SpokenWord[];
  /** Set once the clause is first in line: what arrives then goes straight to the sink. */
  head: ClauseStart | undefined;
  isSynthesised: boolean;
}

/** Where a clause begins in its reply. */
export interface ClauseStart {
  readonly textStart: number;
  readonly sampleStart: number;
}

export interface ClauseLineOptions {
  readonly sampleRateHz: number;
  readonly sink: SpeechSink;
  /** The sink has received something new. */
  readonly onProgress: () => void;
  /** This clause is the next to be played. */
  readonly onClause: (text: string, speakerName: string, start: ClauseStart) => void;
}

export function createClause(text: string, speaker: NamedVoice): Clause {
  return { text, speaker, audio: [], words: [], head: undefined, isSynthesised: false };
}

export class ClauseLine {
  readonly #options: ClauseLineOptions;
  readonly #clauses: Clause[] = [];

  constructor(options: ClauseLineOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#clauses.length === 0;
  }

  push(clause: Clause): void {
    this.#clauses.push(clause);
    if (this.#clauses[0] === clause) this.#becomeHead(clause);
  }

  onAudio(clause: Clause, samples: Int16Array): void {
    if (clause.head === undefined) {
      clause.audio.push(samples);
      return;
    }
    this.#options.sink.write(samples);
    this.#options.onProgress();
  }

  onWord(clause: Clause, word: SpokenWord): void {
    clause.words.push(word);
    if (clause.head !== undefined) this.#markWord(clause.head, word);
  }

  /** All of the clause's audio has arrived, so the queue advances as far as possible. */
  onSynthesised(clause: Clause): void {
    clause.isSynthesised = true;
    for (let first = this.#clauses[0]; first?.isSynthesised === true; first = this.#clauses[0]) {
      if (first.head === undefined) return;
      if (first.words.length === 0) this.#estimateWords(first, first.head);
      this.#clauses.shift();
      const next = this.#clauses[0];
      if (next !== undefined) this.#becomeHead(next);
    }
  }

  #becomeHead(clause: Clause): void {
    const { sink, onClause, onProgress } = this.#options;
    const head = { textStart: sink.beginText(clause.text), sampleStart: sink.length };
    clause.head = head;
    onClause(clause.text, clause.speaker.name, head);
    for (const samples of clause.audio.splice(0)) sink.write(samples);
    for (const word of clause.words) this.#markWord(head, word);
    onProgress();
  }

  #markWord(head: ClauseStart, word: SpokenWord): void {
    const { sink, sampleRateHz } = this.#options;
    sink.mark({
      textEnd: head.textStart + word.textOffset + word.textLength,
      endSample: head.sampleStart + Math.round((word.endMs * sampleRateHz) / 1000),
    });
  }

  /** For synthesisers without word timings: assumes that every character takes equally long. */
  #estimateWords(clause: Clause, head: ClauseStart): void {
    const { sink } = this.#options;
    const samples = sink.length - head.sampleStart;
    for (const end of endsOfWords(clause.text)) {
      sink.mark({
        textEnd: head.textStart + end,
        endSample: head.sampleStart + Math.ceil((samples * end) / clause.text.length),
      });
    }
  }
}

function endsOfWords(text: string): number[] {
  if (Array.from(text).some(isUnspaced)) return wordEnds(text);
  return Array.from(text.matchAll(/\S+/g), ({ 0: word, index }) => index + word.length);
}
