/** Files as servers of speech write them, for tests and doubles. */
import { encodeMulaw } from "../audio/mulaw.ts";
import { bytesOf } from "../audio/pcm-format.ts";
import { bytesFromSamples } from "../audio/pcm16.ts";

export interface WavWriting {
  readonly sampleRateHz: number;
  readonly channels?: number;
  readonly coding?: "u8" | "s16le" | "s24le" | "s32le" | "f32le" | "mulaw";
  /** What stands for the length of the sound: the truth where absent. */
  readonly dataBytes?: number;
  /** Chunks before the sound, by name. */
  readonly before?: Readonly<Record<string, Uint8Array>>;
  readonly isExtensible?: boolean;
}

export function writeSamples(samples: Int16Array, coding: NonNullable<WavWriting["coding"]>): Buffer {
  if (coding === "s16le") return Buffer.from(bytesFromSamples(samples));
  if (coding === "mulaw") return Buffer.from(encodeMulaw(samples));
  const width = bytesOf[coding];
  const bytes = Buffer.alloc(samples.length * width);
  for (const [index, sample] of samples.entries()) {
    const at = index * width;
    if (coding === "u8") bytes.writeUInt8((sample >> 8) + 128, at);
    else if (coding === "s24le") bytes.writeIntLE(sample * 256, at, 3);
    else if (coding === "s32le") bytes.writeInt32LE(sample * 65_536, at);
    else bytes.writeFloatLE(sample / 32_768, at);
  }
  return bytes;
}

/** `samples` is interleaved where there are several channels. */
export function writeWav(samples: Int16Array, writing: WavWriting): Buffer {
  const { sampleRateHz, channels = 1, coding = "s16le", before = {}, isExtensible = false } = writing;
  const sound = writeSamples(samples, coding);
  const tag = coding === "f32le" ? 3 : coding === "mulaw" ? 7 : 1;
  const width = bytesOf[coding];
  const format = Buffer.alloc(isExtensible ? 40 : 16);
  format.writeUInt16LE(isExtensible ? 0xfffe : tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(sampleRateHz, 4);
  format.writeUInt32LE(sampleRateHz * channels * width, 8);
  format.writeUInt16LE(channels * width, 12);
  format.writeUInt16LE(width * 8, 14);
  if (isExtensible) format.writeUInt16LE(tag, 24);
  const data = chunk("data", sound, writing.dataBytes);
  const chunks = [chunk("fmt ", format), ...Object.entries(before).map(([id, bytes]) => chunk(id, bytes)), data];
  const body = Buffer.concat([Buffer.from("WAVE"), ...chunks]);
  return Buffer.concat([Buffer.from("RIFF"), length(writing.dataBytes ?? body.length), body]);
}

function chunk(id: string, bytes: Uint8Array, declared = bytes.length): Buffer {
  return Buffer.concat([Buffer.from(id), length(declared), bytes, Buffer.alloc(bytes.length & 1)]);
}

function length(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** 128 kbit/s at 44.1 kHz: frames of 417 bytes, of which only the head is right, because nothing here plays them. */
export function writeMp3(frames: number, hasTag = false): Buffer {
  const frame = Buffer.alloc(417);
  for (let at = 4; at < frame.length; at++) frame[at] = (at * 2_654_435_761) >>> 13;
  frame.set([0xff, 0xfb, 0x90, 0x00]);
  const tag = Buffer.concat([Buffer.from("ID3\x04\0\0\0\0\0\x0a", "latin1"), Buffer.alloc(10)]);
  return Buffer.concat([...(hasTag ? [tag] : []), ...Array.from({ length: frames }, () => frame)]);
}
