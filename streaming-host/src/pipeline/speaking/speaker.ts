/**
 * Speaks one reply: text deltas in, unpaced audio out. The next clauses are synthesised while one plays, and play in
 * order (PLAY-6). Aborting reaches the synthesiser.
 */
import { createSpeechGuard } from "@voice/shared/conversation/speech-guard";
import type { SpeechGuard } from "@voice/shared/conversation/speech-guard";
import { VoiceError, isAbort, toVoiceError } from "@voice/shared/platform/errors";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { ClauseLine, createClause } from "./clause-line.ts";
import type { Clause, ClauseLineOptions, NamedVoice } from "./clause-line.ts";
import { packOf } from "@voice/shared/languages/packs";
import { ClauseSplitter } from "./clause-splitter.ts";
import { toSpeakableText } from "./speakable-text.ts";
import type { GuardrailHit } from "../guardrail-hit.ts";

export interface SpeakerOptions extends ClauseLineOptions {
  readonly synthesiser: Pick<Synthesiser, "synthesise">;
  readonly language: string;
  /** Whether the text is fixed, and spoken in many conversations; known when the first text is written. */
  readonly isFixed: () => boolean;
  /** The reply may never be heard, so only the first clause is synthesised until `release`. */
  readonly isUncertain?: boolean;
  /** Text that will be spoken, reported once that is certain, without what a guardrail withheld. Continues the previous text. */
  readonly onText: (text: string, speakerName: string) => void;
  readonly onGuardrail: (hit: GuardrailHit) => void;
  /** A guardrail has ended the reply: the sentence it supplied is the last text. */
  readonly onStopped?: () => void;
}

/** The most concurrent requests: the clause that plays and the two after it. */
const maxConcurrentRequests = 3;
/** TURN-10: for a reply that may be discarded, only its first sound is worth preparing. */
const requestsBeforeRelease = 1;

export class Speaker {
  readonly #options: SpeakerOptions;
  readonly #signal: AbortSignal;
  readonly #splitter: ClauseSplitter;
  /** Clauses that have not been sent to the synthesiser yet. */
  readonly #waiting: Clause[] = [];
  readonly #line: ClauseLine;
  /** Set while `finish` is awaited. */
  #ending: PromiseWithResolvers<undefined> | undefined;
  #current: NamedVoice;
  #guard: SpeechGuard;
  #announced: NamedVoice | undefined;
  #requests = 0;
  #isReleased: boolean;
  #begunRequests = 0;
  /** Why the synthesis failed; `finish` reports it. */
  #failure: { readonly error: unknown } | undefined;

  constructor(options: SpeakerOptions, first: NamedVoice, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#line = new ClauseLine(options);
    this.#isReleased = options.isUncertain !== true;
    this.#current = first;
    this.#splitter = new ClauseSplitter(abbreviationsOf(first));
    this.#guard = guardOf(first);
  }

  /** Some clauses have no audio yet. */
  get waitsForAudio(): boolean {
    return !this.#line.isEmpty;
  }

  /** The agent that speaks the clauses from now on. */
  speakAs(next: NamedVoice): void {
    this.#current = next;
    this.#splitter.useAbbreviations(abbreviationsOf(next));
    this.#guard = guardOf(next);
  }

  say(delta: string): void {
    for (const clause of this.#splitter.push(delta)) this.#enqueue(clause);
  }

  /** Ends the current sentence, so that the following text starts a new one. */
  endSentence(): void {
    const rest = this.#splitter.flush();
    if (rest !== undefined) this.#enqueue(rest);
  }

  /** The reply will be heard, so from now on more than the first clause is synthesised. */
  release(): void {
    this.#isReleased = true;
    this.#startRequests();
  }

  /** Resolves when all audio was handed over; rejects with a `VoiceError` or the abort's reason. */
  finish(): Promise<void> {
    this.endSentence();
    const ending = Promise.withResolvers<undefined>();
    this.#ending = ending;
    if (this.#failure !== undefined) ending.reject(this.#failure.error);
    this.#failWhenAborted();
    this.#endIfSpoken();
    return ending.promise;
  }

  #enqueue(text: string): void {
    const guarded = this.#guard.check(text);
    if (guarded.hits.length > 0)
      this.#options.onGuardrail({
        agent: this.#current.name,
        names: guarded.hits,
        action: guarded.stopped ? "stop" : "replace",
      });
    const speakable = toSpeakableText(guarded.text);
    if (speakable === "") return;
    const speaker = this.#current;
    this.#options.onText(this.#announced === speaker ? ` ${speakable}` : speakable, speaker.name);
    this.#announced = speaker;
    const clause = createClause(speakable, speaker);
    this.#waiting.push(clause);
    this.#line.push(clause);
    this.#startRequests();
    if (guarded.stopped) this.#options.onStopped?.();
  }

  #startRequests(): void {
    while (this.#requests < maxConcurrentRequests && !this.#signal.aborted && this.#failure === undefined) {
      if (!this.#isReleased && this.#begunRequests >= requestsBeforeRelease) return;
      const clause = this.#waiting.shift();
      if (clause === undefined) return;
      this.#begunRequests++;
      this.#requests++;
      void this.#request(clause);
    }
  }

  async #request(clause: Clause): Promise<void> {
    const { synthesiser, language, sampleRateHz, isFixed } = this.#options;
    try {
      await synthesiser.synthesise(
        {
          text: clause.text,
          voice: clause.speaker.voice,
          language: clause.speaker.speech?.language ?? language,
          sampleRateHz,
          isFixed: isFixed(),
        },
        {
          onAudio: (samples) => {
            if (!this.#signal.aborted) this.#line.onAudio(clause, samples);
          },
          onWord: (word) => this.#line.onWord(clause, word),
        },
        this.#signal,
      );
      this.#requests--;
      this.#line.onSynthesised(clause);
      this.#endIfSpoken();
      this.#startRequests();
    } catch (error) {
      this.#fail(error);
    }
  }

  #endIfSpoken(): void {
    if (this.#ending === undefined || !this.#line.isEmpty) return;
    this.#options.sink.complete();
    this.#options.onProgress();
    this.#ending.resolve(undefined);
  }

  /** Attached only now: a listener from the beginning would delay the first sound. */
  #failWhenAborted(): void {
    const fail = (): void => this.#fail(this.#signal.reason);
    if (this.#signal.aborted) fail();
    else this.#signal.addEventListener("abort", fail, { once: true });
  }

  #fail(error: unknown): void {
    this.#failure ??= { error: isAbort(error) || error instanceof VoiceError ? error : toVoiceError(error) };
    this.#ending?.reject(this.#failure.error);
  }
}

function guardOf({ guardrails = [] }: NamedVoice): SpeechGuard {
  return createSpeechGuard(guardrails, toSpeakableText);
}

function abbreviationsOf({ speech }: NamedVoice) {
  return packOf(speech?.language).abbreviations;
}
