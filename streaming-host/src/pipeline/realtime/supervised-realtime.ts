/**
 * A realtime session that survives the loss of its connection: audio is buffered while a connection opens, and when the
 * service ends it, another is opened within the retry budget, given the history, and sent again the audio that the last
 * one had not transcribed.
 */
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { explainedError, type VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { audioGapMs, watchForAudioGap } from "../listening/audio-gap.ts";
import type { AudioGapWatch } from "../listening/audio-gap.ts";
import { ReplayBuffer } from "../listening/replay-buffer.ts";
import { QuietLine } from "./quiet-line.ts";
import { createReopening } from "../reopening.ts";
import { VoiceEnd } from "./voice-end.ts";
import type { Reopening } from "../reopening.ts";
import type {
  RealtimeEvent,
  RealtimeHistoryItem,
  RealtimeModel,
  RealtimeSession,
  RealtimeSettings,
} from "@voice/provider-kit/ports/realtime-model";

export interface SupervisedRealtimeOptions {
  readonly model: RealtimeModel;
  /** The settings when a connection opens, since another agent may have taken over meanwhile. */
  readonly settings: () => RealtimeSettings;
  /** Resolves when no tool is running whose result belongs to the history; otherwise the model would call it again. */
  readonly history: () => Promise<readonly RealtimeHistoryItem[]>;
  readonly retry: RetrySettings;
  /** The longest time without a connection, including attempts and waits. */
  readonly patienceMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  /** TURN-15: calls back when the peer has answered; never, while the network brings nothing. */
  readonly probe: (onAnswered: () => void) => void;
  readonly onEvent: (event: RealtimeEvent) => void;
  /** A connection is open and knows the history. */
  readonly onOpened: () => void;
  /** The connection is lost; another is opened, or `onLost` follows. */
  readonly onDropped: (error: VoiceError) => void;
  /** Each loss, each attempt that failed, and an outage that has lasted for too long. */
  readonly onFailed?: (error: VoiceError) => void;
  readonly onLost: (error: VoiceError) => void;
}

/** What is sent at a time while the caller is quiet. More would be heard where they begin to speak very softly. */
const quietPieceMs = 100;
/** Shared by all sessions: samples are copied here to be sent at once. */
const quietPiece = new Int16Array((quietPieceMs * 48_000) / 1000);

export class SupervisedRealtime {
  readonly #options: SupervisedRealtimeOptions;
  readonly #closed = new AbortController();
  readonly #replay: ReplayBuffer;
  readonly #reopening: Reopening;
  readonly #gap: AudioGapWatch;
  /** The item that the caller's words since the last transcript belong to. */
  #openItem: string | undefined;
  #session: RealtimeSession | undefined;
  readonly #line = new QuietLine();
  readonly #unreported = new UnreportedSound();
  readonly #voice = new VoiceEnd();
  #appendedSamples = 0;
  /** The newest of the appended samples, which have not been sent yet. */
  #waitingSamples = 0;
  #sampleRateHz: number;
  #generation = 0;
  #cancelOutageTimer: CancelTimer | undefined;

  constructor(options: SupervisedRealtimeOptions) {
    const { clock, logger, retry, random, probe } = options;
    this.#options = options;
    this.#sampleRateHz = options.settings().sampleRateHz;
    this.#replay = new ReplayBuffer(this.#sampleRateHz);
    this.#gap = watchForAudioGap(
      clock,
      () => this.appendedMs,
      probe,
      () => this.#fillGap(),
    );
    this.#reopening = createReopening({
      what: "realtime model",
      retry,
      clock,
      logger,
      random,
      closed: this.#closed.signal,
      open: () => this.#open(),
      onFailed: (error) => options.onFailed?.(error),
      onLost: (error) => this.#lose(error),
    });
    this.#startOutageTimer();
    this.#reopening.start();
  }

  /** Milliseconds of audio for the current connection. Its end corresponds to now. */
  get appendedMs(): number {
    return this.#toMs(this.#appendedSamples);
  }

  /** Where the newest sound that may be a word ended, counted like `appendedMs`. Undefined before the first. */
  get voiceUntilMs(): number | undefined {
    return this.#voice.untilMs;
  }

  /** The caller has said something that has not been transcribed yet. */
  get hearsWords(): boolean {
    return this.#openItem !== undefined;
  }

  /**
   * Audio that has not been understood yet: words without a transcript, and what came while there was no connection.
   */
  get unheard(): readonly Int16Array[] {
    return this.#openItem === undefined && this.#session !== undefined ? [] : this.#replay.frames();
  }

  /** What the caller has said was acted on, and the next connection must not hear it again. */
  forgetWords(): void {
    this.#openItem = undefined;
    this.#replay.markFinal(0);
  }

  /** The array may be reused after the call. `level`: how loud it is, 0 to 1. */
  appendAudio(samples: Int16Array, level: number): void {
    const ms = this.#toMs(samples.length);
    const isQuiet = this.#line.isQuiet(level, ms);
    const mayWait = isQuiet && this.#openItem === undefined && ms < quietPieceMs;
    if (this.#toMs(this.#waitingSamples) + ms > quietPieceMs) this.#sendWaiting();
    this.#replay.push(samples);
    if (this.#session === undefined) return;
    // The first sound after silence goes with what has waited: with a message before its own, it would be heard later.
    if (mayWait || this.#waitingSamples > 0) this.#wait(samples.length);
    else this.#append(samples);
    this.#voice.hear(level, this.appendedMs);
    if (!mayWait) this.#sendWaiting();
    const mustKeep = this.#unreported.mustKeep(isQuiet, ms);
    if (this.#openItem === undefined && !mustKeep) this.#replay.trim();
  }

  /** Runs on the open connection. False while there is none, because the action would be meaningless later. */
  use(action: (session: RealtimeSession) => void): boolean {
    if (this.#session === undefined) return false;
    this.#sendWaiting();
    action(this.#session);
    return true;
  }

  /**
   * Another connection takes this one's place and is told the history as it is then, because what a model has been told cannot be taken
   * back. False while there is none: the one that is being opened is told it in any case.
   */
  reopen(): boolean {
    if (this.#session === undefined) return false;
    this.#leave();
    this.#reopening.start();
    return true;
  }

  close(): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.#stopOutageTimer();
    this.#gap.end();
    this.#session?.close();
    this.#session = undefined;
  }

  async #open(): Promise<void> {
    const { model, onOpened } = this.#options;
    const mine = ++this.#generation;
    const isCurrent = (): boolean => mine === this.#generation && !this.#closed.signal.aborted;
    const settings = this.#options.settings();
    const next = await model.open(
      settings,
      {
        onEvent: (event) => {
          if (isCurrent()) this.#take(event);
        },
        onEnded: (error) => {
          if (isCurrent()) this.#drop(error);
        },
      },
      this.#closed.signal,
    );
    if (isCurrent()) this.#stopOutageTimer();
    const history = isCurrent() ? await this.#options.history() : [];
    if (!isCurrent()) {
      next.close();
      return;
    }
    this.#sampleRateHz = settings.sampleRateHz;
    this.#session = next;
    this.#appendedSamples = 0;
    this.#voice.reset();
    this.#reopening.opened();
    if (history.length > 0) next.remember(history);
    for (const samples of this.#replay.frames()) this.#append(samples);
    onOpened();
  }

  #take(event: RealtimeEvent): void {
    this.#unreported.reported();
    if (event.type === "speech-started") {
      this.#openItem = event.itemId;
      this.#gap.begin();
    }
    const isUnderstood = (event.type === "user-transcript" && event.isFinal) || event.type === "user-transcript-failed";
    if (isUnderstood && event.itemId === this.#openItem) {
      this.#line.understood();
      this.forgetWords();
    }
    // A turn that we have ended (TURN-12) can be another item than the one in which the speech began, and has no other end.
    if (event.type === "audio-committed" && this.#openItem !== undefined) this.#openItem = event.itemId;
    this.#options.onEvent(event);
    if (event.type === "speech-stopped" || event.type === "audio-committed") this.#gap.end(); // only now: a timer is slow to cancel, and the answer may have come
  }

  #append(samples: Int16Array): void {
    this.#appendedSamples += samples.length;
    this.#session?.appendAudio(samples);
  }

  /** Counts samples that wait. They stay readable in the buffer until they are sent. */
  #wait(samples: number): void {
    this.#appendedSamples += samples;
    this.#waitingSamples += samples;
    if (this.#toMs(this.#waitingSamples) >= quietPieceMs) this.#sendWaiting();
  }

  #sendWaiting(): void {
    if (this.#waitingSamples === 0) return;
    const waiting = quietPiece.subarray(0, this.#waitingSamples);
    this.#replay.readNewest(waiting);
    this.#waitingSamples = 0;
    this.#session?.appendAudio(waiting);
  }

  #toMs(samples: number): number {
    return (samples * 1000) / this.#sampleRateHz;
  }

  /** TURN-15: missing audio counts as silence, which the service waits for before it answers. */
  #fillGap(): void {
    if (this.#session === undefined) return;
    this.#sendWaiting();
    this.#append(new Int16Array((this.#sampleRateHz * audioGapMs) / 1000));
    this.#gap.begin();
  }

  #leave(): void {
    this.#gap.end();
    this.#generation++; // whatever the old session still says is not for us
    this.#session?.close();
    this.#session = undefined;
    this.#waitingSamples = 0;
    this.#startOutageTimer();
  }

  #drop(error: VoiceError): void {
    this.#leave();
    // What a living service had nothing to say about was noise, or the echo of an agent that the next one has not heard.
    if (this.#openItem === undefined && error.code !== "upstream_timeout") this.#replay.trim();
    this.#options.onDropped(error);
    this.#reopening.lost(error);
  }

  #startOutageTimer(): void {
    const { clock, patienceMs } = this.#options;
    this.#stopOutageTimer();
    this.#cancelOutageTimer = clock.setTimer(patienceMs, () => {
      const error = explainedError("upstream_timeout", `there was no realtime model for ${patienceMs} ms`);
      this.#options.onFailed?.(error);
      this.#lose(error);
    });
  }

  #stopOutageTimer(): void {
    this.#cancelOutageTimer?.();
    this.#cancelOutageTimer = undefined;
  }

  #lose(error: VoiceError): void {
    if (this.#closed.signal.aborted) return;
    this.close();
    this.#options.onLost(error);
  }
}

/** A dead connection is noticed within this time. */
const deadForMs = 10_000;

/**
 * FAIL-8: a connection may be dead without either end being told, and what the caller says meanwhile is heard by nobody. A service that
 * lives reports speech within a second, so a sound about which it says nothing is noise, or was lost: it is kept for as long as it takes
 * to find that the connection is dead, for the next one to hear.
 */
class UnreportedSound {
  /** How long ago the sound began; undefined while there is none. */
  #agoMs: number | undefined;

  /** Takes the next of the caller's audio. True while it has to be kept. */
  mustKeep(isQuiet: boolean, ms: number): boolean {
    if (this.#agoMs !== undefined && this.#agoMs < deadForMs) this.#agoMs += ms;
    else this.#agoMs = isQuiet ? undefined : 0;
    return this.#agoMs !== undefined && this.#agoMs < deadForMs;
  }

  /** The service has said something, so it has received what was sent before. */
  reported(): void {
    this.#agoMs = undefined;
  }
}
