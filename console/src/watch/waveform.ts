/** Computes how loud each channel of a WAV file is over time, while the file is loading. Pure. */

/** Long enough that an hour is a small array, and short enough to show words. */
const bucketMs = 50;
const headerBytes = 44;

export interface Waveform {
  readonly bucketMs: number;
  /** For each channel, the peak of each bucket: 0 to 1. */
  readonly channels: readonly (readonly number[])[];
  readonly durationMs: number;
}

export class WaveformReader {
  readonly #header: number[] = [];
  #channels: number[][] = [];
  #bytesPerSecond = 0;
  #samplesPerBucket = 0;
  /** Bytes of a sample that was split between two chunks. */
  #lowByte: number | undefined;
  /** Samples of all channels so far. */
  #samples = 0;

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#header.length < headerBytes) this.#readHeader(byte);
      else if (this.#lowByte === undefined) this.#lowByte = byte;
      else {
        this.#addSample(((byte << 24) >> 16) | this.#lowByte);
        this.#lowByte = undefined;
      }
    }
  }

  /** Whether the bytes begin as a WAV file does: `RIFF`, its length, `WAVE`. */
  get isWav(): boolean {
    const letters = String.fromCodePoint(...this.#header.slice(0, 4), ...this.#header.slice(8, 12));
    return this.#header.length === headerBytes && letters === "RIFFWAVE";
  }

  get waveform(): Waveform {
    const durationMs = this.#bytesPerSecond === 0 ? 0 : (this.#samples * 2 * 1000) / this.#bytesPerSecond;
    return { bucketMs, channels: this.#channels.map((peaks) => [...peaks]), durationMs };
  }

  #readHeader(byte: number): void {
    this.#header.push(byte);
    if (this.#header.length < headerBytes) return;
    const view = new DataView(Uint8Array.from(this.#header).buffer);
    const channelCount = Math.max(1, view.getUint16(22, true));
    const rateHz = view.getUint32(24, true);
    this.#channels = Array.from({ length: channelCount }, () => []);
    this.#bytesPerSecond = rateHz * channelCount * 2;
    this.#samplesPerBucket = Math.max(1, Math.round((rateHz * bucketMs) / 1000));
  }

  #addSample(value: number): void {
    const peaks = this.#channels[this.#samples % this.#channels.length] ?? [];
    const bucket = Math.floor(this.#samples / this.#channels.length / this.#samplesPerBucket);
    peaks[bucket] = Math.max(peaks[bucket] ?? 0, Math.abs(value) / 32_768);
    this.#samples += 1;
  }
}
