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
  /** Milliseconds of the current track that were heard. */
  heardMs(): number;
}

export function createPlayout(options: PlayoutOptions): Playout {
  const { clock, sink, events, sampleRateHz, leadMs, stallMs } = options;
  const frame = new Int16Array((sampleRateHz * playoutFrameMs) / 1000);
  const toMs = (samples: number): number => (samples * 1000) / sampleRateHz;
  const toSamples = (ms: number): number => Math.floor((ms * sampleRateHz) / 1000);

  let track: Track | undefined;
  let sent = 0;
  let playsUntilMs = 0;
  let held = false;
  let paused = false;
  let audible = false;

  function heardSamples(now: number): number {
    return Math.max(0, sent - toSamples(Math.max(0, playsUntilMs - now)));
  }

  function sendDue(now: number, current: Track): void {
    while (playsUntilMs - now < leadMs) {
      const isLast = current.isComplete && current.length - sent <= frame.length;
      if (current.length - sent < frame.length && !isLast) return;
      const count = current.read(sent, frame);
      if (count === 0) return;
      if (count < frame.length) frame.fill(0, count); // the last frame is padded with silence
      sent += count;
      const playsAtMs = Math.max(playsUntilMs, now); // PLAY-5: a late frame starts the clock anew
      playsUntilMs = playsAtMs + playoutFrameMs;
      sink.sendAudio(frame, playsAtMs);
      if (isLast) sink.endAudio?.();
      if (!audible) {
        audible = true;
        events.onAudible(current.turnId);
        if (track !== current || held || paused) return; // the listener may have changed its mind
      }
    }
  }

  function pump(): void {
    const current = track;
    if (current === undefined || held || paused) return;
    const now = clock.now();
    sendDue(now, current);
    if (track !== current) return;
    const exhausted = sent >= current.length;
    if (exhausted && current.isComplete && now >= playsUntilMs) {
      track = undefined;
      events.onDrained(current.turnId, current.text);
    } else if (audible && !current.isComplete && now - playsUntilMs > stallMs) {
      events.onStalled(current.turnId);
    } else {
      current.forgetBefore(heardSamples(now));
    }
  }

  /**
   * The peer drops what it has not played yet; it will be sent again. It is told even when our clock says that it has
   * played everything: the network and its own buffer lie between.
   */
  function recall(): void {
    const now = clock.now();
    if (audible) sink.stopAudio();
    sent = heardSamples(now);
    playsUntilMs = now;
  }

  function goOn(): void {
    playsUntilMs = Math.max(playsUntilMs, clock.now()); // the pause was ours: no audio was late
    pump();
  }

  return {
    get isActive() {
      return track !== undefined && !held && !paused;
    },
    play(next) {
      track = next;
      sent = 0;
      playsUntilMs = 0;
      held = false;
      audible = false;
      pump();
    },
    pump,
    hold() {
      if (track === undefined || held) return;
      if (!paused) recall();
      held = true;
    },
    resume() {
      if (!held) return;
      held = false;
      goOn();
    },
    setPaused(isPaused) {
      if (paused === isPaused) return;
      if (isPaused && !held) recall();
      paused = isPaused;
      if (!isPaused) goOn();
    },
    stop() {
      if (track === undefined) return "";
      const now = clock.now();
      if (!held && !paused && audible) sink.stopAudio(); // before anything else
      const heard = track.textHeard(heardSamples(now));
      track = undefined;
      held = false;
      return heard;
    },
    heardText: () => track?.textHeard(heardSamples(clock.now())) ?? "",
    heardMs: () => toMs(heardSamples(clock.now())),
    remainingMs() {
      if (track === undefined) return 0;
      if (!track.isComplete) return Number.POSITIVE_INFINITY;
      return toMs(track.length - heardSamples(clock.now()));
    },
  };
}
