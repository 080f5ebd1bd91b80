/**
 * Tracks the caller's last speech on our clock and in the caller's audio, converted from the service's positions, which
 * count the audio of its connection.
 */
import type { Clock } from "@voice/shared/platform/clock";

export interface AudioPositions {
  /** Milliseconds of audio sent to the service so far; its end corresponds to now. */
  readonly appendedMs: () => number;
  /** Milliseconds of the caller's audio since the conversation was opened, on whichever connection. */
  readonly heardMs: () => number;
}

interface Speech {
  readonly fromMs: number;
  readonly untilMs: number;
  /** In the caller's audio. Undefined until the service has reported speech. */
  readonly place?: { readonly start_ms: number; readonly end_ms: number };
}

export class CallerSpeech {
  readonly #clock: Clock;
  readonly #positions: AudioPositions;
  #since: { readonly clockMs: number; readonly heardMs: number };
  #last: Speech;

  constructor(clock: Clock, positions: AudioPositions) {
    this.#clock = clock;
    this.#positions = positions;
    const clockMs = clock.now();
    this.#since = { clockMs, heardMs: 0 };
    this.#last = { fromMs: clockMs, untilMs: clockMs };
  }

  /** Both take the service's time and return ours. */
  started(audioMs: number): number {
    this.#since = this.#locate(audioMs);
    return this.#since.clockMs;
  }

  stopped(audioMs: number): number {
    const end = this.#locate(audioMs);
    const place = { start_ms: this.#since.heardMs, end_ms: Math.max(this.#since.heardMs, end.heardMs) };
    this.#last = { fromMs: this.#since.clockMs, untilMs: end.clockMs, place };
    return end.clockMs;
  }

  get last(): Speech {
    return this.#last;
  }

  #locate(audioMs: number): { readonly clockMs: number; readonly heardMs: number } {
    const { appendedMs, heardMs } = this.#positions;
    const agoMs = Math.max(0, appendedMs() - audioMs);
    return { clockMs: this.#clock.now() - agoMs, heardMs: Math.max(0, heardMs() - agoMs) };
  }
}
