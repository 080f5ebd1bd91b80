/**
 * A recognition stream that survives failures of the provider's stream: when one breaks, another is opened within the
 * retry budget and gets the audio that was not final (FAIL-4). Offsets stay relative to the session's audio.
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
import { createReplayBuffer } from "./replay-buffer.ts";
import type { ReplayBuffer } from "./replay-buffer.ts";

export interface SupervisedEvents {
  onPartial(partial: RecognisedText): void;
  onFinal(final: RecognisedText): void;
  /** Nobody can tell what the caller has just said. */
  onUnknown?(error: VoiceError): void;
  /** Its connection was lost, or could not be had; another attempt usually follows. */
  onFailed?(error: VoiceError): void;
  /** It has been away for too long, or cannot be had. */
  onLost(error: VoiceError): void;
}

export interface SupervisedRecognition {
  /** One 20 ms frame, which belongs to the recogniser from now on. */
  write(frame: Int16Array, somebodySpeaks: boolean): void;
  flush(): void;
  setHints(hints: RecognitionHints): void;
  close(): void;
}

export interface SupervisionOptions {
  readonly recogniser: Recogniser;
  readonly recognition: RecognitionOptions;
  readonly retry: RetrySettings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
}

/** What the caller says meanwhile is kept for as long (replay-buffer.ts), and answered when the recogniser is back. */
const patienceMs = 15_000;

/** 5 s: if a recogniser has reported nothing about a sound by then, it has found no words in it. */
const maxQuietFrames = 250;

/**
 * A connection may be dead without either end being told. A recogniser says something about speech as long as a word, at the
 * latest when it is over; one that has said nothing 2 s later is replaced.
 */
const wordFrames = 30;
/** Of a recogniser that is sent only pieces with speech, and answers each: what begins a piece for certain. */
const pieceFrames = 15;
const deafFrames = 100;
/** 100 ms: what is shorter is a cough, whose words nobody misses. */
const leastSpeechFrames = 5;

export function superviseRecognition(options: SupervisionOptions, events: SupervisedEvents): SupervisedRecognition {
  return new Supervision(options, events);
}

class Supervision implements SupervisedRecognition {
  readonly #options: SupervisionOptions;
  readonly #events: SupervisedEvents;
  readonly #replay: ReplayBuffer;
  readonly #closed = new AbortController();
  readonly #reopening: Reopening;
  #hints: RecognitionHints;
  #stream: RecognitionStream | undefined;
  #writtenFrames = 0;
  /** Session audio before the current stream's first frame. */
  #offsetMs = 0;
  /** Numbers the attempts to open a stream; `#current` is the one whose stream is in use. */
  #opening = 0;
  #current: number | undefined;
  /** The stream still uses outdated hints. */
  #isOutdated = false;
  /** The words so far are to be finalised, and have not been: by the stream that takes this one's place, if it must be (FAIL-4). */
  #flushWanted = false;
  /** Frames since speech whose words are not final yet, as far as the detector or the stream has noticed; undefined if there is none. */
  #quietFrames: number | undefined;
  /** Frames of speech about which the stream has said nothing. */
  #unheardFrames = 0;
  /** Frames since the last speech about which no stream has said anything; undefined if there is none. */
  #unansweredFrames: number | undefined;
  /** The last stream broke over words that nobody has understood yet. Undefined again where none can be opened at all. */
  #failure: VoiceError | undefined;
  /** Replaced for its silence, and its successor is as silent: then it is the sound that has no words in it. */
  #isSilentAgain = false;

  constructor(options: SupervisionOptions, events: SupervisedEvents) {
    const { retry, clock, logger, random } = options;
    this.#options = options;
    this.#events = events;
    this.#hints = options.recognition.hints;
    this.#replay = createReplayBuffer(options.recognition.sampleRateHz);
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
    this.#quietFrames ??= 0; // a final may be on its way, of words too soft for the detector
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

  /** Replaces the open stream, if any, once the new one is open. */
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
    this.#stream?.close(); // what it had not finalised is heard again
    this.#current = mine;
    this.#stream = opened;
    if (this.#quietFrames !== undefined) this.#quietFrames = 0; // it has the words only now
    this.#reopening.opened();
    // An answer may have come, or another agent, while the stream was being opened.
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
    this.#quietFrames = undefined;
    this.#flushWanted = false;
    this.#hasReported();
    this.#events.onFinal(final); // first, because the answer to it may be due
    const newestFrames = this.#writtenFrames - Math.floor(final.endMs / vadFrameMs);
    this.#replay.markFinal(newestFrames * vadFrameMs);
    this.#renewIfQuiet();
  }

  #hasReported(): void {
    this.#unheardFrames = 0;
    this.#unansweredFrames = undefined;
    this.#failure = undefined;
    this.#isSilentAgain = false;
  }

  /** SPEECH-7: streams can be opened, and break over these words. While none can be had, the words are kept (FAIL-4). */
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
    if (this.#isSilentAgain) {
      // To one that hears all, a sound may be none that it has anything to say about.
      if (!answersAll) return;
      const error = silent();
      this.#events.onFailed?.(error);
      this.#giveUp(error);
      return;
    }
    this.#isSilentAgain = true;
    this.#options.logger.warn({}, "a recogniser has said nothing about speech, opening another");
    this.#open(true).catch((error: unknown) => {
      // With none to take its place, it counts as lost.
      if (!isAbort(error) && !this.#closed.signal.aborted) this.#drop(toVoiceError(error));
    });
  }

  /** A stream's offsets count from its own first frame. */
  #onSessionAudio(text: RecognisedText): RecognisedText {
    return { ...text, startMs: text.startMs + this.#offsetMs, endMs: text.endMs + this.#offsetMs };
  }

  #drop(error: VoiceError): void {
    this.#current = undefined; // whatever the old stream still says is not for us
    this.#opening++;
    this.#stream?.close();
    this.#stream = undefined;
    this.#reopening.lost(error);
    this.#failure = error;
  }

  /** If the stream cannot accept new hints, another one replaces it between two utterances. */
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
