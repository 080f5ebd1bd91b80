import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

/**
 * The platform's player: it receives audio ahead of time, and reports when it starts and finishes playing, as the vendor's two-way sample
 * expects (GenesysCloudBlueprints/audioconnector-server-reference-implementation).
 */
export class HookPlayback {
  readonly #clock: Clock;
  /** One byte is one sample. */
  readonly #rateHz: number;
  readonly #tell: (type: "playback_started" | "playback_completed") => void;
  #playsUntilMs = 0;
  #cancel: CancelTimer | undefined;

  constructor(clock: Clock, rateHz: number, tell: (type: "playback_started" | "playback_completed") => void) {
    this.#clock = clock;
    this.#rateHz = rateHz;
    this.#tell = tell;
  }

  play(bytes: number): void {
    const nowMs = this.#clock.now();
    if (this.#playsUntilMs <= nowMs) this.#tell("playback_started");
    this.#playsUntilMs = Math.max(nowMs, this.#playsUntilMs) + (bytes * 1000) / this.#rateHz;
    this.#waitForTheEnd();
  }

  /** Drops the queued audio, because the caller spoke over it. */
  drop(): void {
    this.#playsUntilMs = this.#clock.now();
    this.#waitForTheEnd();
  }

  stop(): void {
    this.#cancel?.();
  }

  #waitForTheEnd(): void {
    this.#cancel?.();
    const leftMs = Math.max(0, this.#playsUntilMs - this.#clock.now());
    this.#cancel = this.#clock.setTimer(leftMs, () => this.#tell("playback_completed"));
  }
}
