/**
 * HOOK-14: the platform's time line has everything that the caller said, ours only what we were given: the platform leaves
 * out what it discards, and what comes while it is paused is dropped here. Pure.
 */

interface Gap {
  /** On our time line. */
  readonly atMs: number;
  readonly lengthMs: number;
}

export class PlatformTime {
  readonly #gaps: Gap[] = [];
  #heardMs = 0;

  hear(ms: number): void {
    this.#heardMs += ms;
  }

  /** The platform's line goes on, ours does not. */
  miss(ms: number): void {
    const last = this.#gaps.at(-1);
    if (last?.atMs === this.#heardMs) this.#gaps.pop();
    const before = last?.atMs === this.#heardMs ? last.lengthMs : 0;
    this.#gaps.push({ atMs: this.#heardMs, lengthMs: before + ms });
  }

  /** From our time to the platform's. What stands at a gap comes after it. */
  of(ms: number): number {
    return this.#gaps.reduce((total, { atMs, lengthMs }) => (atMs <= ms ? total + lengthMs : total), ms);
  }
}
