/**
 * A recognition stream that survives failures of the provider's stream: when that breaks, another is opened within the retry budget and
 * receives the audio that has no final transcript (FAIL-4). Offsets stay relative to the session's audio.
 */
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import { explainedError, isAbort, toVoiceError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type {
  RecognisedText,
  RecognitionEvents,
  RecognitionHints,
  RecognitionOptions,
  RecognitionStream,
  Recogniser,
} from "@voice/provider-kit/ports/recogniser";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import { createReopening } from "../reopening.ts";
import type { Reopening } from "../reopening.ts";
import { ReplayBuffer } from "./replay-buffer.ts";

export interface SupervisedEvents {
  onPartial(partial: RecognisedText): void;
  onFinal(final: RecognisedText): void;
  /** No transcript can be produced for what the caller has just said. */
  onUnknown?(error: VoiceError): void;
  /** The connection was lost or could not be opened; usually another attempt follows. */
  onFailed?(error: VoiceError): void;
  /** The recogniser was unreachable for too long, or cannot be opened at all. */
  onLost(error: VoiceError): void;
}

export interface SupervisionOptions {
  readonly recogniser: Recogniser;
  readonly recognition: RecognitionOptions;
  readonly retry: RetrySettings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
}

/** What the caller says while the recogniser is unreachable is buffered for this long (replay-buffer.ts), and answered when it is back. */
const patienceMs = 15_000;

/** 5 s: a recogniser that has reported nothing about a sound by then has found no words in it. */
const maxQuietFrames = 250;

/**
 * A connection may be dead without either end having been notified. A recogniser reports on any speech that is as long as a word, at the
 * latest when the speech is over. One that has reported nothing 2 s later is replaced.
 */
const wordFrames = 30;
/** The same for a recogniser that receives only segments with speech and responds to each: so much speech certainly starts a segment. */
const pieceFrames = 15;
const deafFrames = 100;
/** 100 ms: shorter speech is a cough, which needs no transcript. */
const leastSpeechFrames = 5;

export class SupervisedRecognition {
  readonly #options: SupervisionOptions;
  readonly #events: SupervisedEvents;
  readonly #replay: ReplayBuffer;
  readonly #closed = new AbortController();
  readonly #reopening: Reopening;
  #hints: RecognitionHints;
  #stream: RecognitionStream | undefined;
  #writtenFrames = 0;
  /** Session audio before the first frame of the current stream. */
  #offsetMs = 0;
  /** Numbers the attempts to open a stream. `#current` is the number whose stream is in use. */
  #opening = 0;
  #current: number | undefined;
  /** The stream still uses outdated hints. */
  #isOutdated = false;
  /** A flush was requested and has not been answered. If this stream is replaced, its successor is asked for it (FAIL-4). */
  #flushWanted = false;
  /**
   * Frames since the last speech without a final transcript, as far as the detector or the stream has noticed; undefined if there is none.
   */
  #quietFrames: number | undefined;
  /** Frames of speech on which the stream has reported nothing. */
  #unheardFrames = 0;
  /** Frames since the last speech on which no stream has reported anything; undefined if there is none. */
  #unansweredFrames: number | undefined;
  /** The last stream failed during speech that has no transcript yet. Undefined again if no stream can be opened at all. */
  #failure: VoiceError | undefined;
  /** The final that was reported last. */
  #latest: RecognisedText | undefined;
  /** What was done about speech on which the stream has reported nothing, since a stream last reported something. */
  #silence: "none" | "stream-replaced" | "caller-asked" = "none";

  constructor(options: SupervisionOptions, events: SupervisedEvents) {
    const { retry, clock, logger, random } = options;
    this.#options = options;
    this.#events = events;
    this.#hints = options.recognition.hints;
    this.#replay = new ReplayBuffer(options.recognition.sampleRateHz);
    this.#reopening = createReopening({
      what: "recogniser",
      retry,
      patienceMs,
      clock,
      logger,
      random,
      closed: this.#closed.signal,
      open: () => this.#open(),
      onFailed: (error) => {
        this.#failure = undefined;
        events.onFailed?.(error);
      },
      onLost: (error) => events.onLost(error),
    });
    this.#reopening.start();
  }

  /** One 20 ms frame, which the recogniser owns from now on. */
  write(frame: Int16Array, somebodySpeaks: boolean): void {
    this.#writtenFrames++;
    this.#replay.push(frame);
    this.#stream?.write(frame);
    if (somebodySpeaks) {
      this.#quietFrames = 0;
      this.#unansweredFrames = 0;
      this.#unheardFrames++;
      if (this.#stream !== undefined) this.#flushWanted = false;
    } else if (this.#quietFrames !== undefined && ++this.#quietFrames > maxQuietFrames && this.#stream !== undefined) {
      this.#quietFrames = undefined;
      this.#unheardFrames = 0;
      this.#flushWanted = false;
    }
    if (!somebodySpeaks && this.#unansweredFrames !== undefined && ++this.#unansweredFrames === deafFrames)
      this.#giveUpIfFailing();
    if (this.#quietFrames === deafFrames) this.#replaceIfDeaf();
    if (this.#quietFrames !== undefined) return;
    this.#replay.trim();
    this.#renewIfQuiet();
  }

  flush(): void {
    this.#quietFrames ??= 0; // a final may be on its way, for words too soft for the detector
    this.#flushWanted = true;
    this.#stream?.flush();
  }

  setHints(next: RecognitionHints): void {
    this.#hints = next;
    this.#isOutdated = this.#stream?.setHints(next) === false;
    this.#renewIfQuiet();
  }

  close(): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.#stream?.close();
    this.#stream = undefined;
  }

  /** Replaces the current stream, if any, once the new one is open. */
  async #open(connectsAnew = false): Promise<void> {
    const mine = ++this.#opening;
    const { recogniser, recognition } = this.#options;
    const { signal } = this.#closed;
    const hints = this.#hints;
    const wanted = { ...recognition, hints, connectsAnew };
    const opened = await recogniser.open(wanted, this.#streamEvents(mine), signal);
    if (mine !== this.#opening || signal.aborted) {
      opened.close();
      return;
    }
    this.#stream?.close(); // what has no final transcript is recognised again
    this.#current = mine;
    this.#stream = opened;
    if (this.#quietFrames !== undefined) this.#quietFrames = 0; // it receives these words only now
    this.#reopening.opened();
    // A final, or a new agent, may have changed the hints while the stream was being opened.
    this.#isOutdated = hints !== this.#hints && !opened.setHints(this.#hints);
    const frames = this.#replay.frames();
    this.#offsetMs = (this.#writtenFrames - frames.length) * vadFrameMs;
    for (const frame of frames) opened.write(frame);
    if (this.#flushWanted) opened.flush();
    this.#renewIfQuiet();
  }

  #streamEvents(opening: number): RecognitionEvents {
    const isCurrent = (): boolean => opening === this.#current && !this.#closed.signal.aborted;
    return {
      onPartial: (partial) => {
        if (!isCurrent()) return;
        this.#hasReported();
        this.#quietFrames ??= 0;
        this.#events.onPartial(this.#onSessionAudio(partial));
      },
      onFinal: (final) => {
        if (isCurrent()) this.#onFinal(this.#onSessionAudio(final));
      },
      onUnknown: (error) => {
        if (!isCurrent()) return;
        this.#events.onFailed?.(error);
        this.#giveUp(error);
      },
      onError: (error) => {
        if (isCurrent()) this.#drop(error);
      },
    };
  }

  #onFinal(final: RecognisedText): void {
    const before = this.#latest;
    this.#latest = final;
    // TURN-26: the same words about audio that had its final already.
    if (final.text !== "" && final.text === before?.text && final.endMs <= before.endMs) return;
    this.#quietFrames = undefined;
    this.#flushWanted = false;
    this.#hasReported();
    this.#events.onFinal(final); // first, because an answer to it may be due
    const newestFrames = this.#writtenFrames - Math.floor(final.endMs / vadFrameMs);
    this.#replay.markFinal(newestFrames * vadFrameMs);
    this.#renewIfQuiet();
  }

  #hasReported(): void {
    this.#unheardFrames = 0;
    this.#unansweredFrames = undefined;
    this.#failure = undefined;
    this.#silence = "none";
  }

  /** SPEECH-7: streams can be opened, but fail during this speech. While none can be opened, the audio is buffered (FAIL-4). */
  #giveUpIfFailing(): void {
    const failure = this.#failure;
    if (failure !== undefined && this.#unheardFrames >= leastSpeechFrames) this.#giveUp(failure);
  }

  #giveUp(error: VoiceError): void {
    this.#options.logger.warn(
      { error, code: error.code },
      "what the caller has said is not known, and asked for again",
    );
    this.#quietFrames = undefined;
    this.#unansweredFrames = undefined;
    this.#unheardFrames = 0;
    this.#failure = undefined;
    this.#flushWanted = false;
    this.#replay.markFinal(0);
    this.#events.onUnknown?.(error);
  }

  #replaceIfDeaf(): void {
    const answersAll = this.#options.recogniser.sendsPieces === true;
    if (this.#stream === undefined || this.#unheardFrames < (answersAll ? pieceFrames : wordFrames)) return;
    if (this.#silence !== "none") {
      // A recogniser that receives all audio may find nothing to report in a sound: the caller is asked once, not every few seconds.
      if (!answersAll && this.#silence === "caller-asked") return;
      this.#silence = "caller-asked";
      const error = silent();
      this.#events.onFailed?.(error);
      this.#giveUp(error);
      return;
    }
    this.#silence = "stream-replaced";
    this.#options.logger.warn({}, "a recogniser has said nothing about speech, opening another");
    this.#open(true).catch((error: unknown) => {
      // If no other stream can replace it, it counts as lost.
      if (!isAbort(error) && !this.#closed.signal.aborted) this.#drop(toVoiceError(error));
    });
  }

  /** A stream's offsets are relative to its own first frame. */
  #onSessionAudio(text: RecognisedText): RecognisedText {
    return { ...text, startMs: text.startMs + this.#offsetMs, endMs: text.endMs + this.#offsetMs };
  }

  #drop(error: VoiceError): void {
    this.#current = undefined; // whatever the old stream still reports is ignored
    this.#opening++;
    this.#stream?.close();
    this.#stream = undefined;
    this.#reopening.lost(error);
    this.#failure = error;
  }

  /** If the stream cannot accept new hints, it is replaced between two utterances. */
  #renewIfQuiet(): void {
    if (!this.#isOutdated || this.#stream === undefined || this.#quietFrames !== undefined) return;
    this.#isOutdated = false;
    this.#open().catch((error: unknown) => {
      if (isAbort(error) || this.#closed.signal.aborted) return;
      const { code } = toVoiceError(error);
      this.#options.logger.warn({ error, code }, "a recogniser could not be opened with new hints");
    });
  }
}

const silent = (): VoiceError =>
  explainedError(
    "upstream_timeout",
    `the recogniser has said nothing about speech for ${(deafFrames * vadFrameMs) / 1000} s`,
  );
