/** How samples are represented in bytes, and their conversion to what is played: 16 bits, one channel. */
import { decodeAlaw } from "./alaw.ts";
import { mixToMono } from "./channels.ts";
import { decodeMulaw } from "./mulaw.ts";
import { samplesFromBytes } from "./pcm16.ts";
import { WholeFrames } from "./whole-frames.ts";

export type SampleCoding = "u8" | "s16le" | "s16be" | "s24le" | "s32le" | "f32le" | "f64le" | "mulaw" | "alaw";

export interface SampleFormat {
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

/** Decodes a stream of bytes that may be split anywhere. */
export class PcmDecoder {
  readonly #format: SampleFormat;
  readonly #frames: WholeFrames;

  constructor(format: SampleFormat) {
    this.#format = format;
    this.#frames = new WholeFrames(bytesOf[format.coding] * format.channels);
  }

  /** Returns the samples that are complete; the receiver owns the array. */
  decode(chunk: Uint8Array): Int16Array {
    return samplesOf(this.#frames.push(chunk), this.#format);
  }
}

/** `bytes` contains whole frames. Several channels are mixed. */
export function samplesOf(
  bytes: Uint8Array,
  { coding, channels }: Pick<SampleFormat, "coding" | "channels">,
): Int16Array {
  switch (coding) {
    case "s16le":
      return mixToMono(samplesFromBytes(bytes), channels);
    case "mulaw":
      return mixToMono(decodeMulaw(bytes), channels);
    case "alaw":
      return mixToMono(decodeAlaw(bytes), channels);
    default:
      return mixed(bytes, bytesOf[coding], readers[coding], channels);
  }
}

type Reader = (view: DataView, at: number) => number;

/** In units of a 16-bit sample. A value that is not a number counts as silence. */
const readers: Readonly<Record<Exclude<SampleCoding, "s16le" | "mulaw" | "alaw">, Reader>> = {
  u8: (view, at) => (view.getUint8(at) - 128) * 256,
  s16be: (view, at) => view.getInt16(at, false),
  s24le: (view, at) => view.getInt16(at + 1, true) + view.getUint8(at) / 256,
  s32le: (view, at) => view.getInt32(at, true) / 65_536,
  f32le: (view, at) => (view.getFloat32(at, true) || 0) * 32_768,
  f64le: (view, at) => (view.getFloat64(at, true) || 0) * 32_768,
};

/** Rounded after the channels are mixed, so that resolution beyond 16 bits is used. */
function mixed(bytes: Uint8Array, width: number, read: Reader, channels: number): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Int16Array(Math.floor(bytes.length / (width * channels)));
  for (let frame = 0, at = 0; frame < samples.length; frame++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++, at += width) sum += read(view, at);
    samples[frame] = Math.max(-32_768, Math.min(32_767, Math.round(sum / channels)));
  }
  return samples;
}
