/**
 * Places the caller's audio on our time line. Chunks of a stream follow each other, but a stream may pause (a muted
 * microphone, a peer that sends no silence), arrive in bursts (a slow network) and run on a clock of its own. Chunks are
 * therefore joined as long as they end about now. Those that follow a gap are joined at first, because a burst may show that
 * the network was late; when none does, they are moved to where they came. Those that follow a pause are placed where they
 * come, and moved back to its beginning when a burst shows that it was the network that was silent. A stream that is
 * persistently a little early or late is realigned. What comes first may have waited for us, as everything does that is sent
 * while a conversation is being opened; nothing arrives before it is said, so a chunk that would end in the future shows it.
 */

/** A chunk that ends this long before now begins after a pause. A shorter delay may be the network's. */
const pauseMs = 1000;
/** What the network held back comes at once; a burst that begins later than this after a pause is its usual jitter. */
const burstShowsMs = 200;
/** A gap that shows: longer than jitter, and shorter than most pauses between words. */
const gapMs = 60;
/** What a late network has held back comes at once when it comes; a stream that is as late as before after this time had a gap. */
const gapShowsMs = 300;
/** How much the lateness after a gap may vary: a network that catches up slowly varies more. */
const steadyMs = 100;
/** Audio that would end this far in the future was delayed, and silence has already been recorded in its place. */
const maxAheadMs = 500;
/** How long a stream has to be consistently early or late before it is realigned: longer than any burst. */
const windowMs = 2000;
/** One frame: smaller offsets between the two sides are inaudible. */
const toleranceMs = 20;

/** What the network held back for longer is not all kept. */
export const longestSilenceMs = 3000;

/** What was placed from `from` up to `until` belongs `by` later, or earlier if that is negative. */
export type Move = (from: number, until: number, by: number) => void;

/** How late chunks have been, in frames. */
class Lateness {
  least = Number.POSITIVE_INFINITY;
  most = Number.NEGATIVE_INFINITY;

  add(late: number): void {
    this.least = Math.min(this.least, late);
    this.most = Math.max(this.most, late);
  }
}

export class CallerClock {
  readonly #toFrames: (ms: number) => number;
  readonly #move: Move;
  /** The position of the next chunk; undefined before the first. */
  #next: number | undefined;
  /** Nothing but the first chunks, which may have waited, says where the stream is. */
  #isNew = true;
  #windowEnd = 0;
  #inWindow = new Lateness();
  /** All chunks since a gap: where it was, and when the first came. */
  #sinceGap: { readonly from: number; readonly beganAt: number; readonly lateness: Lateness } | undefined;
  /** A pause that may turn out to be the network's: where it began, where what followed it was placed, and when that came. */
  #pause: { readonly from: number; readonly resumedAt: number; readonly cameAt: number } | undefined;

  constructor(sampleRateHz: number, move: Move) {
    this.#toFrames = (ms) => (ms * sampleRateHz) / 1000;
    this.#move = move;
  }

  /** Caller's audio may still be placed from here on; undefined before the first chunk. */
  get openFrom(): number | undefined {
    return this.#pause?.from ?? this.#sinceGap?.from ?? this.#next;
  }

  /** The position of a chunk of `length` that arrives at `now`; undefined if there is no room for it. */
  place(length: number, now: number): number | undefined {
    const start = this.#startOf(length, now);
    if (start !== undefined) this.#next = start + length;
    return start;
  }

  #startOf(length: number, now: number): number | undefined {
    const next = this.#next ?? Number.NEGATIVE_INFINITY;
    const late = now - (next + length);
    if (this.#pause !== undefined && now - this.#pause.cameAt > this.#toFrames(burstShowsMs)) this.#pause = undefined;
    if (late > this.#toFrames(pauseMs) + (this.#sinceGap?.lateness.least ?? 0)) {
      this.#resumeAfterPause(now - length, now);
      return now - length;
    }
    if (late >= -this.#toFrames(toleranceMs)) return next + this.#shift(next, late, now);
    const joined = this.#joinOverPause(next, now);
    if (joined !== undefined) return joined + this.#shift(joined, now - (joined + length), now);
    if (this.#isNew) return now - length;
    return late < -this.#toFrames(maxAheadMs) ? undefined : next + this.#shift(next, late, now);
  }

  #shift(next: number, late: number, now: number): number {
    return this.#gapBefore(next, late, now) ?? this.#correction(next, late, now);
  }

  #resumeAfterPause(start: number, now: number): void {
    const gap = this.#sinceGap;
    // Nothing has caught up since the gap, so it was one.
    if (gap !== undefined && this.#next !== undefined) this.#move(gap.from, this.#next, gap.lateness.least);
    const from = gap === undefined ? this.#next : (this.#next ?? 0) + gap.lateness.least;
    this.#pause = from === undefined ? undefined : { from, resumedAt: start, cameAt: now };
    this.#isNew = true;
    this.#beginWindow(now);
  }

  /** A burst after a pause: what has been placed since is moved back to its beginning, where the burst goes on. */
  #joinOverPause(next: number, now: number): number | undefined {
    const pause = this.#pause;
    if (pause === undefined) return undefined;
    this.#pause = undefined;
    const from = Math.max(pause.from, now - this.#toFrames(longestSilenceMs));
    this.#move(pause.resumedAt, next, from - pause.resumedAt);
    this.#isNew = false;
    this.#beginWindow(now);
    this.#sinceGap = { from, beganAt: now, lateness: new Lateness() };
    return from + (next - pause.resumedAt);
  }

  /** How long the gap was, once it shows; what was joined over it is moved. */
  #gapBefore(next: number, late: number, now: number): number | undefined {
    if (late <= this.#toFrames(gapMs)) {
      this.#sinceGap = undefined;
      return undefined;
    }
    const gap = (this.#sinceGap ??= { from: next, beganAt: now, lateness: new Lateness() });
    gap.lateness.add(late);
    const { least, most } = gap.lateness;
    if (now - gap.beganAt < this.#toFrames(gapShowsMs) || most - least > this.#toFrames(steadyMs)) return undefined;
    this.#move(gap.from, next, least);
    this.#beginWindow(now);
    return least;
  }

  #correction(next: number, late: number, now: number): number {
    this.#inWindow.add(late);
    if (now < this.#windowEnd) return 0;
    this.#isNew = false;
    const { least, most } = this.#inWindow;
    const tolerance = this.#toFrames(toleranceMs);
    const shift = least > tolerance ? least : most < -tolerance ? most : 0;
    const gap = this.#sinceGap;
    if (gap !== undefined && shift > 0) this.#move(gap.from, next, shift); // it has not caught up, though unsteadily
    this.#beginWindow(now);
    return shift;
  }

  #beginWindow(now: number): void {
    this.#windowEnd = now + this.#toFrames(windowMs);
    this.#inWindow = new Lateness();
    this.#sinceGap = undefined;
  }
}
