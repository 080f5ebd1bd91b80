/**
 * Places the caller's audio on our time line. Chunks of a stream follow each other, but a stream may pause (a muted
 * microphone), arrive in bursts (a slow network) and run on a clock of its own. Chunks are therefore joined as long as
 * they end about now, and realigned if they are persistently early or late. What comes first may have waited for us, as
 * everything does that is sent while a conversation is being opened; nothing arrives before it is said, so a chunk that would
 * end in the future shows it. Pure.
 */

/** A chunk that ends this long before now begins after a pause. A shorter delay may be the network's. */
const pauseMs = 1000;
/** Audio that would end this far in the future was delayed, and silence has already been recorded in its place. */
const maxAheadMs = 500;
/** How long a stream has to be consistently early or late before it is realigned: longer than any burst. */
const windowMs = 2000;
/** One frame: smaller offsets between the two sides are inaudible. */
const toleranceMs = 20;

export class CallerClock {
  readonly #pause: number;
  readonly #maxAhead: number;
  readonly #window: number;
  readonly #tolerance: number;
  /** The position of the next chunk; undefined before the first. */
  #next: number | undefined;
  /** Nothing but the first chunks, which may have waited, says where the stream is. */
  #isNew = true;
  #windowEnd = 0;
  #leastLate = Number.POSITIVE_INFINITY;
  #mostLate = Number.NEGATIVE_INFINITY;

  constructor(sampleRateHz: number) {
    const toFrames = (ms: number): number => (ms * sampleRateHz) / 1000;
    this.#pause = toFrames(pauseMs);
    this.#maxAhead = toFrames(maxAheadMs);
    this.#window = toFrames(windowMs);
    this.#tolerance = toFrames(toleranceMs);
  }

  /** The position of a chunk of `length` that arrives at `now`; undefined if there is no room for it. */
  place(length: number, now: number): number | undefined {
    const joined = this.#next ?? Number.NEGATIVE_INFINITY;
    const late = now - (joined + length);
    let start = now - length;
    if (late > this.#pause) {
      this.#isNew = true;
      this.#beginWindow(now);
    } else if (!this.#isNew || late >= -this.#tolerance) {
      if (late < -this.#maxAhead) return undefined;
      start = joined + this.#correction(late, now);
    }
    this.#next = start + length;
    return start;
  }

  #correction(late: number, now: number): number {
    this.#leastLate = Math.min(this.#leastLate, late);
    this.#mostLate = Math.max(this.#mostLate, late);
    if (now < this.#windowEnd) return 0;
    this.#isNew = false;
    const shift =
      this.#leastLate > this.#tolerance ? this.#leastLate : this.#mostLate < -this.#tolerance ? this.#mostLate : 0;
    this.#beginWindow(now);
    return shift;
  }

  #beginWindow(now: number): void {
    this.#windowEnd = now + this.#window;
    this.#leastLate = Number.POSITIVE_INFINITY;
    this.#mostLate = Number.NEGATIVE_INFINITY;
  }
}
