/**
 * Places the caller's audio on our time line. Chunks of a stream are consecutive, but a stream may pause (a muted microphone, a peer that
 * sends no silence), arrive in bursts (a slow network), and run on a clock of its own.
 * - Chunks are joined as long as they end at about the current time.
 * - Chunks after a short gap are joined at first, because a burst may follow and show that the network was late. If none follows, they are
 * moved to their time of arrival.
 * - Chunks after a pause are placed at their time of arrival, and moved back to the beginning of the pause if a burst shows that the
 * network was silent.
 * - A stream that is persistently a little early or late is realigned.
 * - The first chunks may have been delayed by us, because everything that is sent while a conversation is being opened is queued. Nothing
 * arrives before it is spoken, so a chunk that would end in the future shows such a delay.
 */

/** A chunk that ends this long before the current time starts after a pause. A shorter delay may be the network's. */
const pauseMs = 1000;
/** Audio that the network held back arrives at once; a burst that starts later than this after a pause is ordinary jitter. */
const burstShowsMs = 200;
/** The shortest gap that counts: longer than jitter, and shorter than most pauses between words. */
const gapMs = 60;
/** Audio that a late network held back arrives in one burst. A stream that is still as late after this time had a real gap. */
const gapShowsMs = 300;
/** How much the lateness after a gap may vary. It varies more when a network catches up slowly. */
const steadyMs = 100;
/** Audio that would end this far in the future was delayed, and silence has already been recorded in its place. */
const maxAheadMs = 500;
/** How long a stream has to be consistently early or late before it is realigned: longer than any burst. */
const windowMs = 2000;
/** One frame: smaller offsets between the two sides are inaudible. */
const toleranceMs = 20;

/** When the network has held audio back for longer than this, a part of the audio is lost. */
export const longestSilenceMs = 3000;

/** Audio placed between `from` and `until` is moved `by` frames later, or earlier if negative. */
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
  /** Only the first chunks have arrived, which may have been delayed, so the position of the stream is not certain. */
  #isNew = true;
  #windowEnd = 0;
  #inWindow = new Lateness();
  /** All chunks since a gap: the position of the gap, and when the first of them arrived. */
  #sinceGap: { readonly from: number; readonly beganAt: number; readonly lateness: Lateness } | undefined;
  /** A pause that may turn out to be the network's: where it started, where the audio after it was placed, and when that arrived. */
  #pause: { readonly from: number; readonly resumedAt: number; readonly cameAt: number } | undefined;

  constructor(sampleRateHz: number, move: Move) {
    this.#toFrames = (ms) => (ms * sampleRateHz) / 1000;
    this.#move = move;
  }

  /** The caller's audio may still be placed from here on; undefined before the first chunk. */
  get openFrom(): number | undefined {
    return this.#pause?.from ?? this.#sinceGap?.from ?? this.#next;
  }

  /** The position of a chunk of `length` frames that arrives at `now`; undefined if there is no room for it. */
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
    // The stream has not caught up since the gap, so the gap was real.
    if (gap !== undefined && this.#next !== undefined) this.#move(gap.from, this.#next, gap.lateness.least);
    const from = gap === undefined ? this.#next : (this.#next ?? 0) + gap.lateness.least;
    this.#pause = from === undefined ? undefined : { from, resumedAt: start, cameAt: now };
    this.#isNew = true;
    this.#beginWindow(now);
  }

  /** A burst after a pause: what was placed since is moved back to the beginning of the pause, and the burst continues from there. */
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

  /** The length of a gap, once it is certain; the audio that was joined over it is moved. */
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
    if (gap !== undefined && shift > 0) this.#move(gap.from, next, shift); // it has not caught up, although its lateness varies
    this.#beginWindow(now);
    return shift;
  }

  #beginWindow(now: number): void {
    this.#windowEnd = now + this.#toFrames(windowMs);
    this.#inWindow = new Lateness();
    this.#sinceGap = undefined;
  }
}
