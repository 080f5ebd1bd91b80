/**
 * HOOK-14: converts times. The platform's timeline includes everything that the caller said, ours only the audio that was processed: the
 * platform does not send what it discards, and audio that arrives while it is paused is dropped here. Pure.
 */

interface Gap {
  /** On our timeline. */
  readonly atMs: number;
  readonly lengthMs: number;
}

export class PlatformTime {
  readonly #gaps: Gap[] = [];
  #heardMs = 0;

  hear(ms: number): void {
    this.#heardMs += ms;
  }

  /** The platform's timeline advances and ours does not. */
  miss(ms: number): void {
    const last = this.#gaps.at(-1);
    if (last?.atMs === this.#heardMs) this.#gaps.pop();
    const before = last?.atMs === this.#heardMs ? last.lengthMs : 0;
    this.#gaps.push({ atMs: this.#heardMs, lengthMs: before + ms });
  }

  /** Converts our time to the platform's. A time at a gap is placed after the gap. */
  of(ms: number): number {
    return this.#gaps.reduce((total, { atMs, lengthMs }) => (atMs <= ms ? total + lengthMs : total), ms);
  }
}
