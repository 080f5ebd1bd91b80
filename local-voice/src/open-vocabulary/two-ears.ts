/**
 * One stream's results of two recognisers, brought together in the order in which they were spoken. The grammar's come from its thread;
 * the caller's speech comes with them, and is recognised with an open vocabulary here. In a pause, both results together are a partial,
 * on which the answer is prepared; the final has the same words unless the caller continues.
 */
import type { AwaitedAnswer, RecognisedText } from "@voice/provider-kit/ports/recogniser";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { UtteredSpeech } from "../recogniser/utterance.ts";
import { arbitrate } from "./arbitrate.ts";
import type { Conclusion } from "./arbitrate.ts";
import { knownValuesOf } from "./known-values.ts";
import type { KnownValues } from "./known-values.ts";
import { normaliseOpenText } from "./open-text.ts";
import type { OpenVocabulary } from "./open-recogniser.ts";

/** The open recogniser, and how its words are used. */
export interface OpenWords {
  readonly open: OpenVocabulary;
  /** See `Opinions` in `arbitrate.ts`. */
  readonly opensUp: boolean;
}

export interface TwoEarsOptions extends OpenWords {
  /** Of the stream. */
  readonly language: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the stream waits for the open recogniser; simulated time has to wait as well. */
  onWaiting(isWaiting: boolean): void;
  onPartial(partial: RecognisedText): void;
  onFinal(final: RecognisedText): void;
  /** The words of the last utterance are known, though its grammar does not have them. */
  onOpenWords(): void;
}

/** A partial of the grammar. */
export interface GrammarPartial extends RecognisedText {
  /** In a pause: what the final will be if nothing follows. */
  readonly concluded?: Conclusion | undefined;
}

/** A piece of the caller's speech that the open recogniser has, or has had. */
interface Take extends Omit<UtteredSpeech, "samples"> {
  /** Without a text once there was no time for it. */
  state: { readonly isDone: boolean; readonly text?: string | undefined };
  readonly receivedMs: number;
}

interface WaitingTake {
  readonly take: Take;
  readonly samples: Int16Array;
}

interface Final {
  readonly result: RecognisedText;
  readonly take: Take | undefined;
  readonly awaits: AwaitedAnswer | undefined;
  readonly cancelWait: CancelTimer | undefined;
}

const noWords: Conclusion = { text: "" };

/**
 * From the caller's pause. After this the grammar's result stands alone: a caller who has finished waits no longer for better words, and a
 * session whose turn has no final after 2 s (`VAD_TIMEOUT_MS`) would answer the partial.
 */
const longestWaitMs = 1_700;

export class TwoEars {
  /** What the next utterance is expected to be. */
  awaits: AwaitedAnswer | undefined;
  /** The values that an agent expects. */
  known: KnownValues = knownValuesOf([]);
  readonly #options: TwoEarsOptions;
  #take: Take | undefined;
  /** At most one piece is being recognised; of those of one utterance that come meanwhile, the newest is recognised after it. */
  #isBusy = false;
  #waiting: readonly WaitingTake[] = [];
  /** The grammar's latest partial of the current utterance. */
  #grammar: GrammarPartial | undefined;
  /** The current utterance's open words have been reported, so a mixture of the grammar's does not replace them. */
  #hasOpenWords = false;
  readonly #finals: Final[] = [];
  #finalUntilMs = 0;
  #openUntilMs = 0;
  #isClosed = false;

  constructor(options: TwoEarsOptions) {
    this.#options = options;
  }

  /** Words of somebody who is still speaking are recognised only while nobody else's are. */
  speech({ samples, ...piece }: UtteredSpeech): void {
    if (!piece.isPaused && (this.#isBusy || !this.#options.open.isIdle)) return;
    const take: Take = { ...piece, state: { isDone: false }, receivedMs: this.#options.clock.now() };
    this.#take = take;
    this.#waiting = [...this.#waiting.filter((waiting) => waiting.take.startMs !== take.startMs), { take, samples }];
    if (!this.#isBusy) void this.#recognise();
  }

  partial(partial: GrammarPartial): void {
    this.#grammar = partial;
    const isSentence = partial.sentence === "whole" || partial.sentence === "whole-so-far";
    const isPending = this.#take?.isPaused === true && !this.#take.state.isDone;
    if (isPending && (this.#options.opensUp || !isSentence)) return;
    if (isSentence || !this.#hasOpenWords) this.#options.onPartial(partial);
  }

  final(result: RecognisedText): void {
    const take = this.#take?.untilMs === result.endMs ? this.#take : undefined;
    this.#grammar = undefined;
    this.#hasOpenWords = false;
    this.#finalUntilMs = result.endMs;
    this.#finals.push({ result, take, awaits: this.awaits, cancelWait: this.#giveUpLater(take) });
    this.#proceed();
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    for (const { cancelWait } of this.#finals.splice(0)) cancelWait?.();
    this.#options.onWaiting(false);
  }

  #giveUpLater(take: Take | undefined): CancelTimer | undefined {
    if (take === undefined || take.state.isDone) return undefined;
    const { clock } = this.#options;
    return clock.setTimer(Math.max(0, take.receivedMs + longestWaitMs - clock.now()), () => {
      take.state = { isDone: true };
      this.#proceed();
    });
  }

  async #recognise(): Promise<void> {
    this.#isBusy = true;
    this.#options.onWaiting(true);
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      this.#waiting = this.#waiting.slice(1);
      const text = await this.#textOf(next.samples);
      if (this.#isClosed) return;
      if (!next.take.state.isDone) this.#learn(next.take, text);
    }
    this.#isBusy = false;
    this.#options.onWaiting(false);
  }

  async #textOf(samples: Int16Array): Promise<string | undefined> {
    const { open, logger } = this.#options;
    try {
      const text = await open.recognise(samples);
      return text === undefined ? undefined : normaliseOpenText(text);
    } catch (error) {
      logger.warn({ error }, "the words of a caller were recognised by the grammar alone");
      return undefined;
    }
  }

  #learn(take: Take, text: string | undefined): void {
    take.state = { isDone: true, text };
    this.#proceed();
    if (take === this.#take && take.untilMs > this.#finalUntilMs) this.#reportPartial(take, text);
  }

  #reportPartial({ startMs, untilMs, isPaused }: Take, open: string | undefined): void {
    const grammar = this.#grammar;
    if (open === undefined || open === "") {
      if (grammar !== undefined) this.#options.onPartial(grammar);
      return;
    }
    const decided = isPaused
      ? this.#decide(grammar?.concluded ?? noWords, grammar?.startMs ?? startMs, open, this.awaits)
      : noWords;
    // Of what is in doubt, the open words say best whether more is to come.
    const { text, sentence, isOpen = false } = decided.text === "" ? { text: open, isOpen: true } : decided;
    this.#hasOpenWords = isOpen;
    this.#options.onPartial({ text, sentence, startMs, endMs: untilMs, language: this.#options.language });
  }

  /** Reports the finals whose open words are known. */
  #proceed(): void {
    for (let [final] = this.#finals; final !== undefined; [final] = this.#finals) {
      if (final.take?.state.isDone === false) return;
      this.#finals.shift();
      final.cancelWait?.();
      this.#report(final);
    }
  }

  #report({ result, take, awaits }: Final): void {
    const open = take?.state.text;
    const conclusion = this.#decide(result, result.startMs, open, awaits);
    const { text, sentence, guess, isOpen } = conclusion;
    const { endMs, language } = result;
    if (take === undefined || isOpen !== true) {
      this.#options.onFinal({ text, sentence, guess, startMs: result.startMs, endMs, language });
      return;
    }
    this.#openUntilMs = endMs;
    this.#options.onOpenWords();
    this.#options.onFinal({ text, sentence, guess, startMs: take.startMs, endMs, language });
  }

  /** A segment that the grammar has heard together with the one before has words that were reported as open ones: they are not its own. */
  #decide(
    { text, sentence, guess }: Conclusion,
    startMs: number,
    open: string | undefined,
    awaits: AwaitedAnswer | undefined,
  ): Conclusion {
    const isHeardTwice = startMs < this.#openUntilMs && open !== undefined && open !== "";
    const grammar = isHeardTwice ? noWords : { text, sentence, guess };
    return arbitrate({ grammar, open, awaits, opensUp: this.#options.opensUp, known: this.known });
  }
}
