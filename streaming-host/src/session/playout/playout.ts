/**
 * The playout clock of one session (rules PLAY-1 to PLAY-5). Paced by samples against a deadline, never by timer ticks:
 * `#playsUntilMs` is when the peer will have played everything it was sent, so what was heard is always known.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { Track } from "./track.ts";

export const playoutFrameMs = 20;

export interface PlayoutSink {
  /** One frame of PCM16 mono, and when the peer plays it. The array is reused after the call returns. */
  sendAudio(frame: Int16Array, playsAtMs: number): void;
  /** The peer drops what it has buffered. */
  stopAudio(): void;
  /** The last frame of the track was sent. */
  endAudio?(): void;
}

export interface PlayoutEvents {
  onAudible(turnId: string): void;
  /** The last sample was heard, or there was none; all of the track's text is history. */
  onDrained(turnId: string, text: string): void;
  onStalled(turnId: string): void;
}

export interface PlayoutOptions {
  readonly clock: Clock;
  readonly sink: PlayoutSink;
  readonly events: PlayoutEvents;
  readonly sampleRateHz: number;
  /** How far ahead of real time frames may go out; covers timer jitter and the network's. */
  readonly leadMs: number;
  /** How long the peer keeps what it was sent before it is heard; what it still keeps was not heard. */
  readonly peerBufferMs: number;
  /** FAIL-3: how long a track may give no audio once it has begun. */
  readonly stallMs: number;
}

export interface Playout {
  /** Ends what played before and takes this track. */
  play(track: Track): void;
  /** The track has new audio, or is complete. */
  pump(): void;
  /** Called every few milliseconds by the shared ticker while `isActive`. */
  readonly isActive: boolean;
  hold(): void;
  resume(): void;
  /** The client's own pause: it outlives holds and replies. */
  setPaused(isPaused: boolean): void;
  /** Drops the track; returns the text that was heard of it. */
  stop(): string;
  heardText(): string;
  /** Milliseconds of audio still unheard; infinite while more may come. */
  remainingMs(): number;
  /** Milliseconds until this sample of the current track is heard; none where it is overdue. */
  untilHeardMs(sample: number): number;
  /** Milliseconds of the current track that were heard. */
  heardMs(): number;
}

export function createPlayout(options: PlayoutOptions): Playout {
  return new PacedPlayout(options);
}

class PacedPlayout implements Playout {
  readonly #options: PlayoutOptions;
  /** Reused for every frame. */
  readonly #frame: Int16Array;
  #track: Track | undefined;
  /** Samples of the track that were sent. */
  #sent = 0;
  /** When the peer has been given everything it was sent at the pace of speech; heard is it `peerBufferMs` later. */
  #playsUntilMs = 0;
  /** What was heard stays heard: a frame that comes late shortens the peer's buffer. */
  #heard = 0;
  #held = false;
  #paused = false;
  #audible = false;

  constructor(options: PlayoutOptions) {
    this.#options = options;
    this.#frame = new Int16Array((options.sampleRateHz * playoutFrameMs) / 1000);
  }

  get isActive(): boolean {
    return this.#track !== undefined && !this.#held && !this.#paused;
  }

  play(next: Track): void {
    this.#track?.release();
    this.#track = next;
    this.#sent = 0;
    this.#playsUntilMs = 0;
    this.#heard = 0;
    this.#held = false;
    this.#audible = false;
    this.pump();
  }

  pump(): void {
    const current = this.#track;
    if (current === undefined || this.#held || this.#paused) return;
    const { clock, events, stallMs, peerBufferMs } = this.#options;
    const now = clock.now();
    this.#sendDue(now, current);
    if (this.#track !== current) return;
    const exhausted = this.#sent >= current.length;
    const isHeard = this.#sent === 0 || now >= this.#playsUntilMs + peerBufferMs;
    if (exhausted && current.isComplete && isHeard) {
      this.#track = undefined;
      current.release();
      events.onDrained(current.turnId, current.text);
    } else if (this.#audible && !current.isComplete && now - this.#playsUntilMs > stallMs) {
      events.onStalled(current.turnId);
    } else {
      current.forgetBefore(this.#heardSamples(now));
    }
  }

  hold(): void {
    if (this.#track === undefined || this.#held) return;
    if (!this.#paused) this.#recall();
    this.#held = true;
  }

  resume(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#playOn();
  }

  setPaused(isPaused: boolean): void {
    if (this.#paused === isPaused) return;
    if (isPaused && !this.#held) this.#recall();
    this.#paused = isPaused;
    if (!isPaused) this.#playOn();
  }

  stop(): string {
    if (this.#track === undefined) return "";
    const { clock, sink } = this.#options;
    const now = clock.now();
    if (!this.#held && !this.#paused && this.#audible) sink.stopAudio(); // before anything else
    const heard = this.#track.textHeard(this.#heardSamples(now));
    this.#track.release();
    this.#track = undefined;
    this.#held = false;
    return heard;
  }

  heardText(): string {
    return this.#track?.textHeard(this.#heardSamples(this.#options.clock.now())) ?? "";
  }

  heardMs(): number {
    return this.#toMs(this.#heardSamples(this.#options.clock.now()));
  }

  untilHeardMs(sample: number): number {
    return this.#toMs(Math.max(0, sample - this.#heardSamples(this.#options.clock.now())));
  }

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
      const playsAtMs = Math.max(this.#playsUntilMs, now); // PLAY-5: a late frame starts the clock anew
      this.#playsUntilMs = playsAtMs + playoutFrameMs;
      sink.sendAudio(frame, playsAtMs + peerBufferMs);
      if (isLast) sink.endAudio?.();
      if (!this.#audible) {
        this.#audible = true;
        events.onAudible(current.turnId);
        if (this.#track !== current || this.#held || this.#paused) return; // the listener may have changed its mind
      }
    }
  }

  /**
   * The peer drops what it has not played yet; it will be sent again. It is told even when our clock says that it has
   * played everything: the network and its own buffer lie between.
   */
  #recall(): void {
    const { clock, sink } = this.#options;
    const now = clock.now();
    if (this.#audible) sink.stopAudio();
    this.#sent = this.#heardSamples(now);
    this.#playsUntilMs = now;
  }

  /** After a pause of ours: no audio was late. */
  #playOn(): void {
    this.#playsUntilMs = Math.max(this.#playsUntilMs, this.#options.clock.now());
    this.pump();
  }
}
