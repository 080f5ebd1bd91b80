/**
 * Buffers audio that is not final yet, so that a replacement stream can recognise it again (FAIL-4). Samples are in one
 * ring, because an object per frame would survive several garbage collections, constantly and for every session.
 */

/** Longer than any single utterance a recogniser keeps open. */
const longestMs = 15_000;

/** Before speech: a word's onset is quieter than what the detector calls speech. */
const preRollMs = 400;
/** The initial size, for a quiet caller. It grows when somebody speaks for longer, and shrinks again afterwards. */
const quietMs = 2 * preRollMs;

export interface ReplayBuffer {
  /** Copies. */
  push(samples: Int16Array): void;
  /** Everything but the newest milliseconds is final. */
  markFinal(newestMs: number): void;
  /** Nobody is speaking, so only the pre-roll is kept. */
  trim(): void;
  readonly keptMs: number;
  /** The buffered audio, copied into frames of 20 ms; the last may be shorter. */
  frames(): Int16Array[];
}

export function createReplayBuffer(sampleRateHz: number): ReplayBuffer {
  return new SampleRing(sampleRateHz);
}

class SampleRing implements ReplayBuffer {
  readonly #perMs: number;
  #ring: Int16Array;
  /** The index of the oldest sample. */
  #start = 0;
  #length = 0;

  constructor(sampleRateHz: number) {
    this.#perMs = sampleRateHz / 1000;
    this.#ring = new Int16Array(quietMs * this.#perMs);
  }

  get keptMs(): number {
    return this.#length / this.#perMs;
  }

  push(samples: Int16Array): void {
    const most = longestMs * this.#perMs;
    const added = samples.length > most ? samples.subarray(-most) : samples;
    if (this.#length + added.length > this.#ring.length) this.#grow(Math.min(most, this.#length + added.length));
    this.#forget(Math.max(0, this.#length + added.length - this.#ring.length));
    const end = (this.#start + this.#length) % this.#ring.length;
    const untilWrap = this.#ring.length - end;
    if (added.length <= untilWrap) this.#ring.set(added, end);
    else {
      this.#ring.set(added.subarray(0, untilWrap), end);
      this.#ring.set(added.subarray(untilWrap), 0);
    }
    this.#length += added.length;
  }

  markFinal(newestMs: number): void {
    this.#keepNewest(Math.max(preRollMs, newestMs));
  }

  trim(): void {
    if (this.keptMs >= quietMs) this.#keepNewest(preRollMs);
  }

  frames(): Int16Array[] {
    const samples = this.#copy(this.#length);
    const frameSamples = 20 * this.#perMs;
    const frames: Int16Array[] = [];
    for (let at = 0; at < samples.length; at += frameSamples) frames.push(samples.slice(at, at + frameSamples));
    return frames;
  }

  #keepNewest(ms: number): void {
    this.#forget(Math.max(0, this.#length - ms * this.#perMs));
    const quiet = quietMs * this.#perMs;
    if (this.#ring.length > quiet && this.#length <= quiet) this.#move(quiet);
  }

  #forget(count: number): void {
    this.#start = (this.#start + count) % this.#ring.length;
    this.#length -= count;
  }

  /** At least doubles, so that a long utterance is moved a few times only. */
  #grow(needed: number): void {
    const most = longestMs * this.#perMs;
    if (this.#ring.length < most) this.#move(Math.min(most, Math.max(needed, 2 * this.#ring.length)));
  }

  #move(size: number): void {
    this.#ring = this.#copy(size);
    this.#start = 0;
  }

  #copy(size: number): Int16Array {
    const copy = new Int16Array(size);
    const untilWrap = Math.min(this.#length, this.#ring.length - this.#start);
    copy.set(this.#ring.subarray(this.#start, this.#start + untilWrap));
    copy.set(this.#ring.subarray(0, this.#length - untilWrap), untilWrap);
    return copy;
  }
}
