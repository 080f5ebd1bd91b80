/**
 * SOUND: what a caller hears while the agent works. It goes to the peer frame by frame beside the playout, and never ahead by more than two
 * frames, so that neither a reply nor a caller who begins to speak has to wait for it.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { WaitingSoundName } from "@voice/shared/catalog/waiting-sounds";
import type { TickerMember } from "../playout/playout-ticker.ts";
import { playoutFrameMs } from "../playout/playout.ts";
import { waitingSamples } from "./waiting-samples.ts";

/** SOUND-2: most answers come sooner, and are better without a sound. */
export const soundAfterMs = 700;
const leadMs = 40;
/** The sound fades in, so that it does not begin with a jump. */
const fadeInMs = 200;

export interface WaitingSoundOptions {
  readonly clock: Clock;
  readonly sampleRateHz: number;
  readonly sound: () => WaitingSoundName | undefined;
  /** The array is reused after the call. */
  readonly send: (frame: Int16Array, playsAtMs: number) => void;
  /** Nothing more comes for now. */
  readonly end: () => void;
}

export class WaitingSound implements TickerMember {
  readonly #options: WaitingSoundOptions;
  readonly #frame: Int16Array;
  /** Undefined while nobody waits, and where there is no sound. */
  #sinceMs: number | undefined;
  #samples: Int16Array = new Int16Array(0);
  #sent = 0;
  #playsUntilMs = 0;

  constructor(options: WaitingSoundOptions) {
    this.#options = options;
    this.#frame = new Int16Array((options.sampleRateHz * playoutFrameMs) / 1000);
  }

  get isActive(): boolean {
    return this.#sinceMs !== undefined;
  }

  /** Whether the caller waits for the agent. Returns true if the ticker has to run. */
  follow(isWaiting: boolean): boolean {
    if (isWaiting === this.isActive) return false;
    if (!isWaiting) {
      this.#sinceMs = undefined;
      if (this.#sent > 0) this.#options.end();
      this.#sent = 0;
      return false;
    }
    const sound = this.#options.sound();
    if (sound === undefined || sound === "none") return false;
    this.#samples = waitingSamples(sound, this.#options.sampleRateHz);
    this.#sinceMs = this.#options.clock.now();
    return true;
  }

  pump(): void {
    const { clock, sampleRateHz, send } = this.#options;
    const now = clock.now();
    if (this.#sinceMs === undefined || now - this.#sinceMs < soundAfterMs) return;
    while (this.#sinceMs !== undefined && Math.max(this.#playsUntilMs, now) - now < leadMs) {
      const playsAtMs = Math.max(this.#playsUntilMs, now);
      const fadeIn = (fadeInMs * sampleRateHz) / 1000;
      for (let at = 0; at < this.#frame.length; at += 1) {
        const position = this.#sent + at;
        const sample = this.#samples[position % this.#samples.length] ?? 0;
        this.#frame[at] = position < fadeIn ? (sample * position) / fadeIn : sample;
      }
      this.#sent += this.#frame.length;
      this.#playsUntilMs = playsAtMs + playoutFrameMs;
      send(this.#frame, playsAtMs);
    }
  }
}
