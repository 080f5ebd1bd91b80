/** How loud both sides of a live conversation have been since the page opened it, for its waveform. */
import type { Clock } from "@voice/shared/platform/clock";

import { Store } from "@voice/client-kit/store";

/** The service sends levels ten times a second. */
export const levelBucketMs = 100;
/** Six hours; a page may be left open for days. */
const maxBuckets = 216_000;

export interface LevelTrack {
  /** The wall-clock time of the first level; undefined before there is one. */
  readonly startedAtMs: number | undefined;
  /** 0 to 1, one for each bucket: the caller's, and the agent's. */
  readonly channels: readonly [readonly number[], readonly number[]];
}

const silence: LevelTrack = { startedAtMs: undefined, channels: [[], []] };

export class LiveLevels {
  /** Changes once a second at most, because a waveform does not move like a meter. */
  readonly store = new Store<LevelTrack>(silence);
  readonly #clock: Clock;
  #startedAtMs: number | undefined;
  #caller: number[] = [];
  #agent: number[] = [];
  #shownAtMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(caller: number, agent: number): void {
    const nowMs = this.#clock.wallNow();
    this.#startedAtMs ??= nowMs;
    const bucket = Math.floor((nowMs - this.#startedAtMs) / levelBucketMs);
    if (bucket < 0 || bucket >= maxBuckets) return;
    for (const [levels, level] of [
      [this.#caller, caller],
      [this.#agent, agent],
    ] as const) {
      // Silence is sent once, so a gap is as loud as what came last.
      while (levels.length < bucket) levels.push(levels.at(-1) ?? 0);
      levels[bucket] = Math.max(levels[bucket] ?? 0, level);
    }
    if (nowMs - this.#shownAtMs < 1000) return;
    this.#shownAtMs = nowMs;
    this.store.set({ startedAtMs: this.#startedAtMs, channels: [[...this.#caller], [...this.#agent]] });
  }

  forget(): void {
    this.#startedAtMs = undefined;
    this.#caller = [];
    this.#agent = [];
    this.store.set(silence);
  }
}
