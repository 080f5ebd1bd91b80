/** Buffers audio without a final transcript, so that a replacement stream can recognise it again (FAIL-4). */
import { SampleQueue } from "@voice/provider-kit/audio/sample-queue";

/** The most audio that is buffered: longer than any single utterance that a recogniser keeps open. */
const longestMs = 15_000;

/** Retained from before speech: the onset of a word is quieter than what the detector calls speech. */
const preRollMs = 400;
/** The most audio that is buffered while the caller is silent. */
const quietMs = 2 * preRollMs;

export class ReplayBuffer {
  readonly #perMs: number;
  readonly #samples = new SampleQueue();

  constructor(sampleRateHz: number) {
    this.#perMs = sampleRateHz / 1000;
  }

  get keptMs(): number {
    return (this.#samples.end - this.#samples.start) / this.#perMs;
  }

  /** Copies the samples. */
  push(samples: Int16Array): void {
    this.#samples.append(samples);
    this.#keepNewest(longestMs);
  }

  /** Everything except the newest milliseconds has a final transcript. */
  markFinal(newestMs: number): void {
    this.#keepNewest(Math.max(preRollMs, newestMs));
  }

  /** Nobody is speaking, so only the pre-roll is retained. */
  trim(): void {
    if (this.keptMs >= quietMs) this.#keepNewest(preRollMs);
  }

  /** The buffered audio, copied into frames of 20 ms; the last may be shorter. */
  frames(): Int16Array[] {
    const frameSamples = 20 * this.#perMs;
    const frames: Int16Array[] = [];
    for (let at = this.#samples.start; at < this.#samples.end; at += frameSamples) {
      const frame = new Int16Array(Math.min(frameSamples, this.#samples.end - at));
      this.#samples.read(at, frame);
      frames.push(frame);
    }
    return frames;
  }

  /** Copies the newest samples into `target`, which must not be longer than what is buffered. */
  readNewest(target: Int16Array): void {
    this.#samples.read(this.#samples.end - target.length, target);
  }

  #keepNewest(ms: number): void {
    this.#samples.dropBefore(this.#samples.end - Math.round(ms * this.#perMs));
  }
}
