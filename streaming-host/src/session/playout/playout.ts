/**
 * The playout clock of one session (rules PLAY-1 to PLAY-5). Paced by samples against a deadline, never by timer ticks: `#playsUntilMs` is
 * when the peer will have played everything it was sent, so it is always known what was heard.
 */
import type { StopReason } from "@voice/shared/contracts/stream/server-message";
import type { Clock } from "@voice/shared/platform/clock";
import type { Track } from "./track.ts";

export const playoutFrameMs = 20;

/** PLAY-9: a model's audio arrives in bursts, so nothing for this long counts as a pause. */
const dryAfterMs = 100;
/**
 * As long as the longest chunk that is sent to a peer. When less than this remains to be played, audio that is held back to fill a chunk
 * would be late.
 */
const lowMs = 200;

export interface PlayoutSink {
  /** One frame of PCM16 mono, and when the peer plays it. The array is reused after the call returns. */
  sendAudio(frame: Int16Array, playsAtMs: number): void;
  /** The peer drops its buffered audio. */
  stopAudio(turnId: string, reason: StopReason): void;
  /** The last frame of the track was sent, or the last one available for now (PLAY-9). */
  endAudio?(): void;
}

export interface PlayoutEvents {
  onAudible(turnId: string): void;
  /** The last sample was heard, or there was none; the track's whole text counts as heard. */
  onDrained(turnId: string, text: string): void;
  /** No audio came for `stallMs`; called again after each further `stallMs`. */
  onStalled(turnId: string): void;
  /** The track has run out of audio for now, or has some again. */
  onDry?(isDry: boolean): void;
}

export interface PlayoutOptions {
  readonly clock: Clock;
  readonly sink: PlayoutSink;
  readonly events: PlayoutEvents;
  readonly sampleRateHz: number;
  /** How far ahead of real time frames may be sent, to cover jitter of timers and of the network. */
  readonly leadMs: number;
  /** The length of the peer's buffer; what it still contains was not heard. */
  readonly peerBufferMs: number;
  /** FAIL-3: how long a track may stall once it has begun. */
  readonly stallMs: number;
}

export class Playout {
  readonly #options: PlayoutOptions;
  /** Reused for every frame. */
  readonly #frame: Int16Array;
  #track: Track | undefined;
  #turnId = "";
  /** Samples of the track that were sent. */
  #sent = 0;
  /** When everything sent so far will have been consumed at real-time pace; it is heard `peerBufferMs` later. */
  #playsUntilMs = 0;
  /** When the last stall was reported. */
  #stalledAtMs = 0;
  /** Never moves backwards: a late frame shortens the peer's buffer instead. */
  #heard = 0;
  /** When the last frame was sent; undefined once the sink was notified that it is the last for now. */
  #lastSentMs: number | undefined;
  #held = false;
  #paused = false;
  #audible = false;
  #dry = false;

  constructor(options: PlayoutOptions) {
    this.#options = options;
    this.#frame = new Int16Array((options.sampleRateHz * playoutFrameMs) / 1000);
  }

  /** The track was audible and has run out of audio for now. */
  get isDry(): boolean {
    return this.#dry;
  }

  /** Called every few milliseconds by the shared ticker while `isActive`. */
  get isActive(): boolean {
    return this.#track !== undefined && !this.#held && !this.#paused;
  }

  /** Ends the previous track and plays this one. The first frames that it already holds are sent before this returns. */
  play(next: Track, turnId: string): void {
    this.#track?.release();
    this.#track = next;
    this.#turnId = turnId;
    this.#sent = 0;
    this.#playsUntilMs = 0;
    this.#stalledAtMs = 0;
    this.#heard = 0;
    this.#lastSentMs = undefined;
    this.#held = false;
    this.#audible = false;
    this.#dry = false;
    this.pump();
  }

  /** The track has new audio, or is complete. */
  pump(): void {
    const current = this.#track;
    if (current === undefined || this.#held || this.#paused) return;
    const { clock, events, stallMs, peerBufferMs } = this.#options;
    const now = clock.now();
    this.#sendDue(now, current);
    if (this.#track !== current) return;
    const exhausted = this.#sent >= current.length;
    if (this.#isOverForNow(now, exhausted && current.isComplete)) this.#endAudio(current);
    const isHeard = this.#sent === 0 || now >= this.#playsUntilMs + peerBufferMs;
    if (exhausted && current.isComplete && isHeard) {
      this.#track = undefined;
      current.release();
      events.onDrained(this.#turnId, current.text);
    } else if (
      this.#audible &&
      !current.isComplete &&
      now - Math.max(this.#playsUntilMs, this.#stalledAtMs) > stallMs
    ) {
      this.#stalledAtMs = now;
      events.onStalled(this.#turnId);
    } else {
      current.forgetBefore(this.#heardSamples(now));
    }
  }

  hold(reason: StopReason): void {
    if (this.#track === undefined || this.#held) return;
    if (!this.#paused) this.#recall(reason);
    this.#held = true;
  }

  resume(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#playOn();
  }

  /** The client's own pause, which outlasts holds and replies. */
  setPaused(isPaused: boolean): void {
    if (this.#paused === isPaused) return;
    if (isPaused && !this.#held) this.#recall("paused");
    this.#paused = isPaused;
    if (!isPaused) this.#playOn();
  }

  /** Drops the track; returns the text that was heard of it. */
  stop(reason: StopReason): string {
    if (this.#track === undefined) return "";
    const { clock, sink } = this.#options;
    const now = clock.now();
    // First of all, because it stops what the caller hears.
    if (!this.#held && !this.#paused && this.#audible) sink.stopAudio(this.#turnId, reason);
    const heard = this.#track.textHeard(this.#heardSamples(now));
    this.#track.release();
    this.#track = undefined;
    this.#held = false;
    this.#dry = false;
    return heard;
  }

  heardText(): string {
    return this.#track?.textHeard(this.#heardSamples(this.#options.clock.now())) ?? "";
  }

  /** Milliseconds of the current track that were heard. */
  heardMs(): number {
    return this.#toMs(this.#heardSamples(this.#options.clock.now()));
  }

  /** Milliseconds until this sample of the current track is heard; 0 if it is overdue. */
  untilHeardMs(sample: number): number {
    return this.#toMs(Math.max(0, sample - this.#heardSamples(this.#options.clock.now())));
  }

  /** Milliseconds of audio not yet heard; infinite while more may come. */
  remainingMs(): number {
    if (this.#track === undefined) return 0;
    if (!this.#track.isComplete) return Number.POSITIVE_INFINITY;
    return this.#toMs(this.#track.length - this.#heardSamples(this.#options.clock.now()));
  }

  #heardSamples(now: number): number {
    const { peerBufferMs, sampleRateHz } = this.#options;
    const unheardMs = Math.max(0, this.#playsUntilMs + peerBufferMs - now);
    this.#heard = Math.max(this.#heard, this.#sent - Math.floor((unheardMs * sampleRateHz) / 1000));
    return this.#heard;
  }

  #toMs(samples: number): number {
    return (samples * 1000) / this.#options.sampleRateHz;
  }

  #sendDue(now: number, current: Track): void {
    const { sink, events, leadMs, peerBufferMs } = this.#options;
    const frame = this.#frame;
    while (this.#playsUntilMs - now < leadMs) {
      const isLast = current.isComplete && current.length - this.#sent <= frame.length;
      if (current.length - this.#sent < frame.length && !isLast) return;
      const count = current.read(this.#sent, frame);
      if (count === 0) return;
      if (count < frame.length) frame.fill(0, count); // the last frame is padded with silence
      this.#sent += count;
      const playsAtMs = Math.max(this.#playsUntilMs, now); // PLAY-5: a late frame restarts the clock
      this.#playsUntilMs = playsAtMs + playoutFrameMs;
      this.#lastSentMs = now;
      sink.sendAudio(frame, playsAtMs + peerBufferMs);
      if (this.#dry) this.#setDry(false);
      if (!this.#audible) {
        this.#audible = true;
        events.onAudible(this.#turnId);
        if (this.#track !== current || this.#held || this.#paused) return; // a callback may have changed the track or paused it
      }
    }
  }

  /** PLAY-9. Frames are sent as long as there are any, so none for a while means that none are available. */
  #isOverForNow(now: number, isAll: boolean): boolean {
    if (this.#lastSentMs === undefined) return false;
    return isAll || (now - this.#lastSentMs >= dryAfterMs && this.#playsUntilMs - now <= lowMs);
  }

  #endAudio({ isComplete }: Track): void {
    this.#lastSentMs = undefined;
    this.#options.sink.endAudio?.();
    if (!isComplete) this.#setDry(true);
  }

  #setDry(isDry: boolean): void {
    if (this.#dry === isDry) return;
    this.#dry = isDry;
    this.#options.events.onDry?.(isDry);
  }

  /**
   * The peer drops what it has not played, which will be sent again. This is sent even if the peer should have played everything by our
   * clock, because the network and its own buffer add delay.
   */
  #recall(reason: StopReason): void {
    const { clock, sink } = this.#options;
    const now = clock.now();
    if (this.#audible) sink.stopAudio(this.#turnId, reason);
    this.#sent = this.#heardSamples(now);
    this.#playsUntilMs = now;
  }

  /** Restarts the clock after our own pause, because no audio was late. */
  #playOn(): void {
    this.#playsUntilMs = Math.max(this.#playsUntilMs, this.#options.clock.now());
    this.pump();
  }
}
