/**
 * Smooths the arrival of audio: playback starts once a little has been buffered, so that a late frame still arrives in
 * time. Between answers the buffer is empty, and fills again.
 */

/** Three frames of 20 ms: more than a local network jitters, less than a listener notices. */
const startMs = 60;
/** A service that does not pace sends a whole answer at once; anything longer than this is a fault. */
const maxBufferedMs = 120_000;
/** An answer cut off mid-wave clicks, so it fades out over this many samples. */
const fadeOutMs = 5;

export class JitterBuffer {
  readonly #samplesPerMs: number;
  #chunks: Float32Array[] = [];
  /** How many samples of the first chunk were played. */
  #offset = 0;
  #buffered = 0;
  #isPlaying = false;
  /** Samples of silence played while audio was waiting for the buffer to fill. */
  #waited = 0;
  #underruns = 0;

  constructor(sampleRateHz: number) {
    this.#samplesPerMs = sampleRateHz / 1000;
  }

  get bufferedMs(): number {
    return this.#buffered / this.#samplesPerMs;
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  /** How often the buffer ran empty, including at the end of answers. */
  get underruns(): number {
    return this.#underruns;
  }

  /** Takes ownership of the samples. What exceeds the bound is dropped. */
  push(samples: Float32Array): void {
    if (samples.length === 0 || this.bufferedMs >= maxBufferedMs) return;
    this.#chunks.push(samples);
    this.#buffered += samples.length;
  }

  /** Fills `output` with what is to be heard now, and with silence if there is nothing. */
  pull(output: Float32Array): void {
    if (!this.#isPlaying && !this.#isReady(output.length)) {
      output.fill(0);
      return;
    }
    this.#isPlaying = true;
    const written = this.#take(output);
    if (written === output.length) return;
    output.fill(0, written);
    this.#isPlaying = false;
    this.#underruns += 1;
  }

  /** Fades out and drops the buffered audio, because the listener has interrupted. */
  clear(): void {
    const fade = new Float32Array(this.#isPlaying ? Math.min(this.#buffered, fadeOutMs * this.#samplesPerMs) : 0);
    this.#take(fade);
    this.#chunks = fade.length === 0 ? [] : [fade.map((sample, index) => sample * (1 - index / fade.length))];
    this.#offset = 0;
    this.#buffered = fade.length;
    this.#waited = 0;
  }

  /** True if enough is buffered, or if no more is coming and what there is has waited long enough. */
  #isReady(requested: number): boolean {
    if (this.#buffered === 0) return false;
    this.#waited += requested;
    const start = startMs * this.#samplesPerMs;
    if (this.#buffered < start && this.#waited < start) return false;
    this.#waited = 0;
    return true;
  }

  #take(output: Float32Array): number {
    let written = 0;
    for (let chunk = this.#chunks[0]; chunk !== undefined && written < output.length; chunk = this.#chunks[0]) {
      const piece = chunk.subarray(this.#offset, this.#offset + output.length - written);
      output.set(piece, written);
      written += piece.length;
      this.#offset += piece.length;
      if (this.#offset < chunk.length) continue;
      this.#chunks.shift();
      this.#offset = 0;
    }
    this.#buffered -= written;
    return written;
  }
}
