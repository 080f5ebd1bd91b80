/** How samples are written as bytes, and how they are read as what is played: 16 bits, one channel. */
import { decodeAlaw } from "./alaw.ts";
import { decodeMulaw } from "./mulaw.ts";
import { samplesFromBytes } from "./pcm16.ts";

export type SampleCoding = "u8" | "s16le" | "s16be" | "s24le" | "s32le" | "f32le" | "f64le" | "mulaw" | "alaw";

export interface PcmFormat {
  readonly coding: SampleCoding;
  readonly sampleRateHz: number;
  readonly channels: number;
}

export const bytesOf: Readonly<Record<SampleCoding, number>> = {
  u8: 1,
  s16le: 2,
  s16be: 2,
  s24le: 3,
  s32le: 4,
  f32le: 4,
  f64le: 8,
  mulaw: 1,
  alaw: 1,
};

/** Reads a stream of such bytes, which may be cut anywhere. */
export class PcmDecoder {
  readonly #format: PcmFormat;
  readonly #frameBytes: number;
  #rest = new Uint8Array(0);

  constructor(format: PcmFormat) {
    this.#format = format;
    this.#frameBytes = bytesOf[format.coding] * format.channels;
  }

  /** The samples that are whole by now; the result is the receiver's own. */
  decode(chunk: Uint8Array): Int16Array {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const whole = bytes.length - (bytes.length % this.#frameBytes);
    this.#rest = bytes.slice(whole);
    return samplesOf(bytes.subarray(0, whole), this.#format);
  }
}

/** `bytes` holds whole frames. Several channels are mixed. */
export function samplesOf(bytes: Uint8Array, { coding, channels }: Pick<PcmFormat, "coding" | "channels">): Int16Array {
  if (channels === 1) {
    if (coding === "s16le") return samplesFromBytes(bytes);
    if (coding === "mulaw") return decodeMulaw(bytes);
    if (coding === "alaw") return decodeAlaw(bytes);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = bytesOf[coding];
  const read = readers[coding];
  const samples = new Int16Array(Math.floor(bytes.length / (width * channels)));
  for (let frame = 0, at = 0; frame < samples.length; frame++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++, at += width) sum += read(view, at);
    samples[frame] = Math.max(-32_768, Math.min(32_767, Math.round(sum / channels)));
  }
  return samples;
}

/** In units of a 16-bit sample. What is no number is silence. */
const readers: Readonly<Record<SampleCoding, (view: DataView, at: number) => number>> = {
  u8: (view, at) => (view.getUint8(at) - 128) * 256,
  s16le: (view, at) => view.getInt16(at, true),
  s16be: (view, at) => view.getInt16(at, false),
  s24le: (view, at) => view.getInt16(at + 1, true) + view.getUint8(at) / 256,
  s32le: (view, at) => view.getInt32(at, true) / 65_536,
  f32le: (view, at) => (view.getFloat32(at, true) || 0) * 32_768,
  f64le: (view, at) => (view.getFloat64(at, true) || 0) * 32_768,
  mulaw: (view, at) => decodeMulaw(Uint8Array.of(view.getUint8(at)))[0] ?? 0,
  alaw: (view, at) => decodeAlaw(Uint8Array.of(view.getUint8(at)))[0] ?? 0,
};
