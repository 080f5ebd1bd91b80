/** Finds speech in PCM by its level, counting time in samples. Good enough for tones and clean voices only. */

export type SegmentEvents = {
  onStart(startMs: number): void;
  /** Called for every 100 ms of a running segment. */
  onProgress(elapsedMs: number): void;
  onEnd(startMs: number, endMs: number): void;
};

const blockMs = 10;
const progressEveryMs = 100;
/** About -44 dBFS. */
const speechLevel = 200;

export class EnergySegmenter {
  readonly #sampleRateHz: number;
  readonly #silenceMs: number;
  readonly #events: SegmentEvents;
  readonly #block: Int16Array;
  #filled = 0;
  #positionMs = 0;
  #segment: { readonly startMs: number; lastSpeechMs: number; reportedMs: number } | undefined;

  constructor(options: { sampleRateHz: number; silenceMs: number }, events: SegmentEvents) {
    this.#sampleRateHz = options.sampleRateHz;
    this.#silenceMs = options.silenceMs;
    this.#events = events;
    this.#block = new Int16Array((this.#sampleRateHz * blockMs) / 1000);
  }

  get positionMs(): number {
    return this.#positionMs;
  }

  write(samples: Int16Array): void {
    for (let read = 0; read < samples.length;) {
      const count = Math.min(samples.length - read, this.#block.length - this.#filled);
      this.#block.set(samples.subarray(read, read + count), this.#filled);
      read += count;
      this.#filled += count;
      if (this.#filled === this.#block.length) this.#takeBlock();
    }
  }

  /** Ends the running segment now, if there is one. */
  flush(): void {
    const segment = this.#segment;
    if (segment === undefined) return;
    this.#segment = undefined;
    this.#events.onEnd(segment.startMs, segment.lastSpeechMs);
  }

  #takeBlock(): void {
    this.#filled = 0;
    const blockStartMs = this.#positionMs;
    this.#positionMs += blockMs;
    if (rootMeanSquare(this.#block) >= speechLevel) {
      if (this.#segment === undefined) {
        this.#segment = { startMs: blockStartMs, lastSpeechMs: this.#positionMs, reportedMs: blockStartMs };
        this.#events.onStart(blockStartMs);
      }
      this.#segment.lastSpeechMs = this.#positionMs;
    }
    const segment = this.#segment;
    if (segment === undefined) return;
    if (this.#positionMs - segment.lastSpeechMs >= this.#silenceMs) this.flush();
    else if (this.#positionMs - segment.reportedMs >= progressEveryMs) {
      segment.reportedMs = this.#positionMs;
      this.#events.onProgress(this.#positionMs - segment.startMs);
    }
  }
}

function rootMeanSquare(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length);
}
