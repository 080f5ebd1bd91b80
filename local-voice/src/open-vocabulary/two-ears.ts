/**
 * One stream's results of two recognisers, brought together in the order in which they were spoken. The grammar's come from its thread;
 * the caller's speech comes with them, and is recognised with an open vocabulary here. In a pause, both results together are a partial,
 * on which the answer is prepared; the final has the same words unless the caller continues.
 */
import type { AwaitedAnswer, AwaitedDigits, RecognisedText } from "@voice/provider-kit/ports/recogniser";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { UtteredSpeech } from "../recogniser/utterance.ts";
import { digitsIn, digitsSoFar, mayBeDigits } from "./agree-on-digits.ts";
import { arbitrate } from "./arbitrate.ts";
import type { Conclusion } from "./arbitrate.ts";
import { knownValuesOf } from "./known-values.ts";
import type { KnownValues } from "./known-values.ts";
import { normaliseOpenText } from "./open-text.ts";
import type { OpenQuestion, OpenText } from "./moonshine.ts";
import type { OpenVocabulary } from "./open-recogniser.ts";
import { UnsureDigits } from "./unsure-digits.ts";

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
interface Take extends UtteredSpeech {
  /** Without words once there was no time for them. */
  state: { readonly isDone: boolean; readonly words?: OpenText | undefined };
  readonly receivedMs: number;
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

/** Longer ones are said in parts, and are too many for one search. */
const longestCode = 8;

export class TwoEars {
  /** What the next utterance is expected to be. */
  awaits: AwaitedAnswer | undefined;
  /** The values that an agent expects. */
  known: KnownValues = knownValuesOf([]);
  readonly #options: TwoEarsOptions;
  #take: Take | undefined;
  /** At most one piece is being recognised; of those of one utterance that come meanwhile, the newest is recognised after it. */
  #isBusy = false;
  #waiting: readonly Take[] = [];
  readonly #unsure = new UnsureDigits();
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
  speech(piece: UtteredSpeech): void {
    if (!piece.isPaused && (this.#isBusy || !this.#options.open.isIdle)) return;
    const take: Take = { ...piece, state: { isDone: false }, receivedMs: this.#options.clock.now() };
    this.#take = take;
    this.#waiting = [...this.#waiting.filter(({ startMs }) => startMs !== take.startMs), take];
    if (!this.#isBusy) void this.#recognise();
  }

  partial(reported: GrammarPartial): void {
    const partial = unhurried(reported, this.awaits, "beginning");
    this.#grammar = reported;
    const isPending = this.#take?.isPaused === true && !this.#take.state.isDone;
    if (isPending && (this.#options.opensUp || !isSentence(partial))) return;
    // What the caller has said in answer to a question for digits is what both make of it, until they go on.
    if (this.awaits?.type === "digits" && partial.concluded !== undefined && this.#take?.state.isDone === true) {
      if (this.#take.untilMs > this.#finalUntilMs) this.#reportPartial(this.#take, this.#take.state.words);
      return;
    }
    // Before the next pause the search may pass through any sentence on its way, and one that is complete would end the turn.
    const isSettled = isSentence(partial) && partial.concluded !== undefined;
    if (isSettled || !this.#hasOpenWords) this.#options.onPartial(partial);
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
      const words = await this.#wordsOf(next);
      if (this.#isClosed) return;
      if (!next.state.isDone) this.#learn(next, words);
    }
    this.#isBusy = false;
    this.#options.onWaiting(false);
  }

  async #wordsOf(take: Take): Promise<OpenText | undefined> {
    const { open, logger } = this.#options;
    // What is expected is looked for once the caller pauses, because that takes half a second.
    const question = take.isPaused ? this.#question() : {};
    try {
      const together = question.codeLengths === undefined ? undefined : this.#unsure.togetherWith(take);
      const code = together && (await open.recognise(together, question));
      // Words that were reported before are not reported again.
      const words = mayBeDigits(code) ? code : await open.recognise(take.samples, question);
      if (words === undefined) return undefined;
      const text = normaliseOpenText(words.text);
      return this.#unsure.afterEarlier({ ...words, text }, take.startMs, this.awaits);
    } catch (error) {
      logger.warn({ error }, "the words of a caller were recognised by the grammar alone");
      return undefined;
    }
  }

  #question(): OpenQuestion {
    if (this.awaits?.type === "digits") return { codeLengths: codeLengths(this.awaits) };
    const { open, opensUp } = this.#options;
    // A model of language understands a value by its sound, or asks; and nobody else waits for half a second.
    return this.known.isEmpty || opensUp || !open.isIdle ? {} : { menu: this.known.menu };
  }

  #learn(take: Take, words: OpenText | undefined): void {
    take.state = { isDone: true, words };
    this.#proceed();
    if (take === this.#take && take.untilMs > this.#finalUntilMs) this.#reportPartial(take, words);
  }

  #reportPartial({ startMs, untilMs, isPaused }: Take, open: OpenText | undefined): void {
    const grammar = this.#grammar;
    if (open === undefined || (open.text === "" && open.codes?.[0] === undefined)) {
      if (grammar !== undefined) this.#options.onPartial(unhurried(grammar, this.awaits));
      return;
    }
    const concluded = grammar?.concluded ?? (isSentence(grammar) ? grammar : noWords);
    const decided = isPaused ? this.#decide(concluded, grammar?.startMs ?? startMs, open, this.awaits) : noWords;
    // Of what is in doubt, the open words say best whether more is to come.
    const soFar = isPaused ? digitsSoFar(open) : undefined;
    const {
      text,
      sentence,
      isOpen = false,
    } = soFar === undefined && decided.text !== "" ? decided : { text: soFar ?? open.text, isOpen: true };
    this.#hasOpenWords = isOpen;
    const isBegun = isPaused && sentence === undefined && this.known.isBeginning(text);
    const state = isBegun ? "beginning" : sentence;
    const partial = { text, sentence: state, startMs, endMs: untilMs, language: this.#options.language };
    this.#options.onPartial(unhurried(partial, this.awaits, isPaused ? undefined : "beginning"));
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
    const open = take?.state.words;
    const conclusion = this.#decide(result, result.startMs, open, awaits);
    const { text, sentence, guess, isOpen } = conclusion;
    const { endMs, language } = result;
    this.#unsure.remember({ conclusion, awaits, heard: take && { spoken: take, words: open } });
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
    open: OpenText | undefined,
    awaits: AwaitedAnswer | undefined,
  ): Conclusion {
    const isHeardTwice = startMs < this.#openUntilMs && open !== undefined && open.text !== "";
    const grammar = isHeardTwice ? noWords : { text, sentence, guess };
    return arbitrate({
      grammar,
      open: open?.text,
      codes: open?.codes,
      part: open?.part,
      sentence: open?.sentence,
      awaits,
      opensUp: this.#options.opensUp,
      known: this.known,
    });
  }
}

function isSentence(partial: RecognisedText | undefined): partial is RecognisedText {
  return partial?.sentence === "whole" || partial?.sentence === "whole-so-far";
}

/**
 * A word in place of the digits that were asked for may be the first of them ("right" for "five"), so it ends no turn early. `state`: what
 * the words are instead of a sentence.
 */
function unhurried<Partial extends RecognisedText>(
  partial: Partial,
  awaits: AwaitedAnswer | undefined,
  state?: "beginning",
): Partial {
  return awaits?.type === "digits" && digitsIn(partial.text) === undefined ? { ...partial, sentence: state } : partial;
}

function codeLengths({ length, missing }: AwaitedDigits): readonly number[] | undefined {
  const lengths = [...new Set([length, missing])].flatMap((digits) =>
    digits === undefined || digits > longestCode ? [] : [digits],
  );
  return lengths.length === 0 ? undefined : lengths;
}
