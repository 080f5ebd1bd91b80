/**
 * What a realtime model reports: about the caller it becomes events of the turn machine and the caller's words, about responses it goes
 * to the replies.
 */
import type { RealtimeEvent } from "@voice/provider-kit/ports/realtime-model";
import { untranscribedSpeech } from "@voice/shared/conversation/untranscribed-speech";
import type { Clock } from "@voice/shared/platform/clock";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { CallerTextOutput } from "../../output/caller-text.ts";
import { nextTurnId } from "../../turn/turn-state.ts";
import type { BegunTurn } from "../../turn/turn-state.ts";
import type { TurnLoop } from "../turn-loop.ts";
import { CallerSpeech } from "./caller-speech.ts";
import type { AudioPositions, Utterance } from "./caller-speech.ts";
import type { RealtimeReplies } from "./realtime-replies.ts";
import type { ResponseStart } from "./response-order.ts";

export interface ModelEventsOptions {
  readonly loop: Pick<TurnLoop, "dispatch" | "state">;
  readonly words: Pick<CallerTextOutput, "partial" | "whole">;
  readonly replies: Pick<RealtimeReplies, "hasResponse" | "isEarly" | "onEvent">;
  readonly positions: AudioPositions;
  /** A turn of the caller's that begins now, in whose place their words are stored, whenever they are known (HIST-6). */
  readonly beginTurn: () => BegunTurn;
  /** How long the agent's audio would still be heard. */
  readonly replyRemainingMs: () => number;
  readonly onSpeechStarted: () => void;
  /** Called with each transcript before anything is answered. */
  readonly onWords: (text: string) => void;
  /** The service has refused a request, and the same was not reported to the peer lately. */
  readonly onRefused: (error: VoiceError) => void;
  /** The caller's words could not be transcribed. `isNews`: the same was not reported lately. */
  readonly onUntranscribed: (
    error: VoiceError,
    how: { readonly isNews: boolean; readonly turn: BegunTurn | undefined },
  ) => void;
  readonly onRepaired: (repair: Extract<RealtimeEvent, { type: "settings-repaired" }>) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class ModelEvents {
  readonly #options: ModelEventsOptions;
  readonly #speech: CallerSpeech;
  readonly #refusals: Refusals;
  /** What the newest reply, or the newest response that waits (TURN-11), answers: the words that had no transcript when it began. */
  #answered: readonly Utterance[] = [];

  constructor(options: ModelEventsOptions) {
    this.#options = options;
    this.#speech = new CallerSpeech(options.clock, options.positions, options.beginTurn);
    this.#refusals = new Refusals(options.clock);
  }

  /** What the caller is saying, or has said and nobody has answered, as far as it is transcribed. */
  get openWords(): string {
    return this.#speech.withoutTranscript
      .filter(({ turn, partial }) => partial !== "" && !this.#isAnswered(turn))
      .map(({ partial }) => partial)
      .join(" ");
  }

  /** The turns whose words have no transcript, in the order in which they began. */
  get untranscribedTurns(): readonly BegunTurn[] {
    return this.#speech.withoutTranscript.map(({ turn }) => turn);
  }

  /** There are words without a transcript, and a reply has begun to all of them. */
  get isUntranscribedAnswered(): boolean {
    const turns = this.untranscribedTurns;
    return turns.length > 0 && turns.every((turn) => this.#isAnswered(turn));
  }

  /** Some of these words have no transcript yet, so the next connection hears them again, and answers them. */
  get isAnswerToUntranscribed(): boolean {
    return this.#speech.withoutTranscript.some((utterance) => this.#answered.includes(utterance));
  }

  /** HIST-8: what was answered, and will never be transcribed. Each is given once. */
  takeUntranscribed(): readonly Utterance[] {
    const answered = this.#speech.withoutTranscript.filter(({ turn }) => this.#isAnswered(turn));
    for (const utterance of answered) this.#speech.forget(utterance);
    return this.#options.loop.state.isDeaf ? [] : answered; // VM-2
  }

  /** The next connection hears the audio of the words again that have no transcript. */
  hearAgain(): void {
    this.#speech.hearAgain();
  }

  take(event: RealtimeEvent): void {
    const { loop, replies, logger } = this.#options;
    switch (event.type) {
      case "speech-started":
        this.#options.onSpeechStarted();
        loop.dispatch({ type: "speech-started", sinceMs: this.#speech.started(event.itemId, event.atMs) });
        return;
      case "speech-stopped":
        loop.dispatch({
          type: "speech-stopped",
          stoppedMs: this.#speech.stopped(event.itemId, event.atMs, event.isLate),
        });
        return;
      case "user-transcript":
        this.#takeTranscript(event);
        return;
      case "user-transcript-failed":
        this.#takeUntranscribed(event);
        return;
      case "settings-repaired":
        this.#options.onRepaired(event);
        return;
      case "response-started":
        this.#takeResponse(event);
        return;
      case "error":
        if (this.#refusals.isNews(event.error)) this.#options.onRefused(event.error);
        return;
      case "used": // counted where the model is metered
        return;
      case "audio-committed":
        this.#speech.committed(event.itemId);
        return;
      case "unknown":
      case "item-truncated":
        logger.debug({ type: event.type }, "the realtime model sent an event that this session does not use");
        return;
      default:
        replies.onEvent(event);
    }
  }

  /** We have ended the caller's turn ourselves; the service's audio so far ends there. */
  endSpeech(): void {
    this.#speech.stopped(undefined, this.#options.positions.appendedMs());
  }

  /**
   * The next connection hears it again, and reports it if it is speech. Nobody else would report its end. `isAfterWords`: that connection also
   * hears words again, reports and answers them, so until then nothing is known to have been without words.
   */
  forgetOpenSpeech({ isAfterWords = false } = {}): void {
    const { loop, replyRemainingMs, clock } = this.#options;
    if (loop.state.user.speech.kind !== "speaking") return;
    const nowMs = clock.now();
    loop.dispatch({ type: "speech-stopped", stoppedMs: nowMs });
    if (isAfterWords) return;
    loop.dispatch({ type: "final", text: "", endedMs: nowMs, replyRemainingMs: replyRemainingMs() });
  }

  #takeResponse(event: ResponseStart): void {
    const { loop, replies } = this.#options;
    const isEarly = replies.isEarly(event);
    if (isEarly || !replies.hasResponse)
      this.#answered = this.#speech.withoutTranscript.filter(({ until }) => until !== undefined);
    if (isEarly) return;
    loop.dispatch({ type: "response-started" });
    replies.onEvent(event);
  }

  /** RT-2. The model may have understood it, so the conversation goes on. Whoever goes on with the history knows that something was said. */
  #takeUntranscribed({ itemId, error }: Extract<RealtimeEvent, { type: "user-transcript-failed" }>): void {
    const { loop, replyRemainingMs, onUntranscribed } = this.#options;
    const { untilMs: endedMs, turn } = this.#speech.transcribed(itemId);
    onUntranscribed(error, { isNews: this.#refusals.isNews(error), turn });
    if (loop.state.isDeaf) return; // VM-2
    loop.dispatch({ type: "final", text: untranscribedSpeech, endedMs, replyRemainingMs: replyRemainingMs(), turn });
  }

  /** A reply has begun in this turn. */
  #isAnswered({ turnId }: BegunTurn): boolean {
    return turnId !== nextTurnId(this.#options.loop.state);
  }

  #takeTranscript({ itemId, text, isFinal }: Extract<RealtimeEvent, { type: "user-transcript" }>): void {
    const { loop, words, replyRemainingMs } = this.#options;
    if (!isFinal) {
      if (loop.state.isDeaf) return; // VM-2
      const turn = this.#speech.transcribedSoFar(itemId, text);
      if (text !== "") words.partial(text, { turn });
      return;
    }
    const { fromMs, untilMs, place, turn } = this.#speech.transcribed(itemId);
    if (loop.state.isDeaf) return;
    // What the caller has said since such a sound decides whether anything is answered.
    if (text === "" && this.#speech.isEarlier(itemId)) return;
    if (text !== "") words.whole(text, fromMs, untilMs, { ...place, turn });
    this.#options.onWords(text);
    loop.dispatch({ type: "final", text, endedMs: untilMs, replyRemainingMs: replyRemainingMs(), turn });
  }
}

const sameAgainAfterMs = 10_000;

/**
 * Which of a realtime model's refusals are told: a service in trouble may send a thousand of the same a second, and each would become
 * a message to the client and a line of the log.
 */
class Refusals {
  readonly #clock: Clock;
  /** When each was told last. A reason names a code and a field, so there are few; of most services none. */
  #toldAtMs: Map<string, number> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isNews({ code, reason = "" }: VoiceError): boolean {
    const key = `${code} ${reason}`;
    const nowMs = this.#clock.now();
    const told = (this.#toldAtMs ??= new Map());
    const toldAtMs = told.get(key);
    if (toldAtMs !== undefined && nowMs - toldAtMs < sameAgainAfterMs) return false;
    told.set(key, nowMs);
    return true;
  }
}
