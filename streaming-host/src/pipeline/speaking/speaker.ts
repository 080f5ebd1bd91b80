/**
 * The voice of one reply: text deltas in, paced audio's raw material out. The next clauses are synthesised while this
 * one plays, and play in order (PLAY-6). Abort reaches the synthesiser.
 */
import type { Guardrail } from "@voice/shared/catalog/guardrail";
import { createSpeechGuard } from "@voice/shared/conversation/speech-guard";
import { VoiceError, isAbort, toVoiceError } from "@voice/shared/platform/errors";
import type { SpokenWord, Synthesiser, Voice } from "../../providers/ports/synthesiser.ts";
import { createClauseSplitter } from "./clause-splitter.ts";
import { toSpeakableText } from "./speakable-text.ts";

/** Where the audio of a reply goes. Positions are samples from the reply's beginning. */
export interface SpeechSink {
  readonly length: number;
  /** Announces a clause; returns the offset of its text in the reply's. */
  beginText(text: string): number;
  write(samples: Int16Array): void;
  mark(mark: { readonly textEnd: number; readonly endSample: number }): void;
  complete(): void;
}

export interface SpeakerOptions {
  readonly synthesiser: Synthesiser;
  readonly language: string;
  readonly sampleRateHz: number;
  readonly sink: SpeechSink;
  /** What will be said, as soon as it is sure; nothing that a guardrail withheld. Continues what came before. */
  readonly onText: (text: string, speakerName: string) => void;
  /** The sink has something new. */
  readonly onProgress: () => void;
  readonly onClause: (text: string, speakerName: string) => void;
  /** Names of the guardrails that a clause hit. */
  readonly onGuardrail: (names: readonly string[]) => void;
}

/** An agent, as far as its voice goes. */
export interface NamedVoice {
  readonly name: string;
  readonly voice: Voice;
  /** What it may not say; checked clause by clause before the synthesiser sees it. */
  readonly guardrails?: readonly Guardrail[] | undefined;
}

export interface Speaker {
  /** Who says the clauses that begin from now on. */
  speakAs(speaker: NamedVoice): void;
  say(delta: string): void;
  /** Ends the sentence that is being written, so that what follows starts a new one. */
  endSentence(): void;
  /** Resolves when all audio was handed over; rejects with a `VoiceError` or the abort's reason. */
  finish(): Promise<void>;
}

/** Requests under way at once: the clause that plays and the two after it. */
const maxConcurrentRequests = 3;

interface Clause {
  readonly text: string;
  readonly speaker: NamedVoice;
  readonly audio: Int16Array[];
  readonly words: SpokenWord[];
  /** Set once the clause is first in line: what arrives then goes straight to the sink. */
  head: { readonly textStart: number; readonly sampleStart: number } | undefined;
  done: boolean;
}

export function createSpeaker(options: SpeakerOptions, first: NamedVoice, signal: AbortSignal): Speaker {
  const { synthesiser, sink, sampleRateHz } = options;
  const splitter = createClauseSplitter();
  const waiting: Clause[] = [];
  const line: Clause[] = [];
  const ended = Promise.withResolvers<undefined>();
  ended.promise.catch(() => undefined); // `finish` reports it; a reply that was cancelled before `finish` has no reader
  let current = first;
  let guard = createSpeechGuard(first.guardrails ?? []);
  let announced: NamedVoice | undefined;
  let requests = 0;
  let finishing = false;
  let failed = false;

  function enqueue(text: string): void {
    const guarded = guard.check(text);
    if (guarded.hits.length > 0) options.onGuardrail(guarded.hits);
    const speakable = toSpeakableText(guarded.text);
    if (speakable === "") return;
    options.onText(announced === current ? ` ${speakable}` : speakable, current.name);
    announced = current;
    const clause: Clause = { text: speakable, speaker: current, audio: [], words: [], head: undefined, done: false };
    waiting.push(clause);
    line.push(clause);
    if (line[0] === clause) becomeHead(clause);
    startRequests();
  }

  function startRequests(): void {
    while (requests < maxConcurrentRequests && !signal.aborted && !failed) {
      const clause = waiting.shift();
      if (clause === undefined) return;
      requests++;
      void request(clause);
    }
  }

  async function request(clause: Clause): Promise<void> {
    try {
      await synthesiser.synthesise(
        { text: clause.text, voice: clause.speaker.voice, language: options.language, sampleRateHz },
        { onAudio: (samples) => onAudio(clause, samples), onWord: (word) => onWord(clause, word) },
        signal,
      );
      clause.done = true;
      requests--;
      advance();
      startRequests();
    } catch (error) {
      fail(error);
    }
  }

  function onAudio(clause: Clause, samples: Int16Array): void {
    if (signal.aborted) return;
    if (clause.head === undefined) clause.audio.push(samples);
    else {
      sink.write(samples);
      options.onProgress();
    }
  }

  function onWord(clause: Clause, word: SpokenWord): void {
    clause.words.push(word);
    if (clause.head !== undefined) markWord(clause.head, word);
  }

  function becomeHead(clause: Clause): void {
    const head = { textStart: sink.beginText(clause.text), sampleStart: sink.length };
    clause.head = head;
    options.onClause(clause.text, clause.speaker.name);
    for (const samples of clause.audio.splice(0)) sink.write(samples);
    for (const word of clause.words) markWord(head, word);
    options.onProgress();
  }

  function markWord(head: NonNullable<Clause["head"]>, word: SpokenWord): void {
    sink.mark({
      textEnd: head.textStart + word.textOffset + word.textLength,
      endSample: head.sampleStart + Math.round((word.endMs * sampleRateHz) / 1000),
    });
  }

  /** A synthesiser that times no words: assume that every character takes equally long. */
  function estimateWords(clause: Clause, head: NonNullable<Clause["head"]>): void {
    const samples = sink.length - head.sampleStart;
    for (const word of clause.text.matchAll(/\S+/g)) {
      const end = word.index + word[0].length;
      sink.mark({
        textEnd: head.textStart + end,
        endSample: head.sampleStart + Math.ceil((samples * end) / clause.text.length),
      });
    }
  }

  function advance(): void {
    for (let first = line[0]; first?.done === true && first.head !== undefined; first = line[0]) {
      if (first.words.length === 0) estimateWords(first, first.head);
      line.shift();
      const next = line[0];
      if (next !== undefined) becomeHead(next);
    }
    if (finishing && line.length === 0) {
      sink.complete();
      options.onProgress();
      ended.resolve(undefined);
    }
  }

  function fail(error: unknown): void {
    failed = true;
    ended.reject(isAbort(error) || error instanceof VoiceError ? error : toVoiceError(error));
  }

  signal.addEventListener("abort", () => fail(signal.reason), { once: true });

  return {
    speakAs(next) {
      current = next;
      guard = createSpeechGuard(next.guardrails ?? []);
    },
    say(delta) {
      for (const clause of splitter.push(delta)) enqueue(clause);
    },
    endSentence() {
      const rest = splitter.flush();
      if (rest !== undefined) enqueue(rest);
    },
    finish() {
      const rest = splitter.flush();
      if (rest !== undefined) enqueue(rest);
      finishing = true;
      advance();
      return ended.promise;
    },
  };
}
