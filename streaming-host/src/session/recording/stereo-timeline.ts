/**
 * A few seconds of both sides on one time line. Samples are written at their position, in any order, and taken from the front once nothing
 * can be written there any more. Positions are frames since the recording started; unwritten positions are silence. The memory is allocated
 * once.
 */

export type RecordedSide = "caller" | "agent";

export class StereoTimeline {
  readonly channels: 1 | 2;
  readonly #ring: Int16Array;
  readonly #capacity: number;
  #base = 0;

  constructor(channels: 1 | 2, capacityFrames: number) {
    this.channels = channels;
    this.#capacity = capacityFrames;
    this.#ring = new Int16Array(capacityFrames * channels);
  }

  /** The first frame that was not taken yet. */
  get base(): number {
    return this.#base;
  }

  /** The first frame for which there is no room yet. */
  get limit(): number {
    return this.#base + this.#capacity;
  }

  /** Samples before the base or beyond the limit are left out; returns how many. */
  write(side: RecordedSide, position: number, samples: Int16Array): number {
    const from = Math.max(position, this.#base);
    const until = Math.min(position + samples.length, this.limit);
    const offset = this.#offsetOf(side);
    const { channels } = this;
    let slot = (from % this.#capacity) * channels + offset;
    for (let frame = from; frame < until; frame++) {
      this.#ring[slot] = samples[frame - position] ?? 0;
      slot += channels;
      if (slot >= this.#ring.length) slot = offset;
    }
    return samples.length - Math.max(0, until - from);
  }

  /** Moves the side's audio between `from` and `until` to `by` frames later, or earlier if negative, and leaves silence in its place. */
  move(side: RecordedSide, from: number, until: number, by: number): void {
    const first = Math.max(from, this.#base);
    const count = until - first;
    for (let step = 0; step < count; step++) {
      // Copies in the direction that overwrites nothing before it was read.
      const frame = by > 0 ? until - 1 - step : first + step;
      const target = frame + by;
      if (target >= this.#base && target < this.limit)
        this.#ring[this.#slotOf(side, target)] = this.#ring[this.#slotOf(side, frame)] ?? 0;
    }
    const [silentFrom, silentUntil] =
      by > 0 ? [first, Math.min(until, first + by)] : [Math.max(first, until + by), until];
    for (let frame = silentFrom; frame < silentUntil; frame++) this.#ring[this.#slotOf(side, frame)] = 0;
  }

  /** Makes the side silent from here on, whatever was written. */
  clear(side: RecordedSide, from: number): void {
    for (let frame = Math.max(from, this.#base); frame < this.limit; frame++) this.#ring[this.#slotOf(side, frame)] = 0;
  }

  /** Interleaved; the receiver owns the array. Positions beyond the limit are silence. */
  take(until: number): Int16Array {
    const taken = new Int16Array(Math.max(0, until - this.#base) * this.channels);
    const frames = Math.min(taken.length / this.channels, this.#capacity);
    const start = this.#base % this.#capacity;
    const first = Math.min(frames, this.#capacity - start);
    this.#move(start, first, taken, 0);
    this.#move(0, frames - first, taken, first);
    this.#base = Math.max(this.#base, until);
    return taken;
  }

  #move(start: number, frames: number, target: Int16Array, at: number): void {
    const { channels } = this;
    const part = this.#ring.subarray(start * channels, (start + frames) * channels);
    target.set(part, at * channels);
    part.fill(0);
  }

  #slotOf(side: RecordedSide, frame: number): number {
    return (frame % this.#capacity) * this.channels + this.#offsetOf(side);
  }

  #offsetOf(side: RecordedSide): number {
    return side === "caller" ? 0 : this.channels - 1;
  }
}
