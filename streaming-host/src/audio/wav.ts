/** PCM16 WAV files: what the caller tool reads and saves, and what recordings are kept as. */
import { wavHeader } from "@voice/shared/recordings/wav-header";
import { bytesFromSamples, bytesPerSample, samplesFromBytes } from "./pcm16.ts";

export interface WavAudio {
  readonly sampleRateHz: number;
  readonly channels: number;
  /** Interleaved when there are several channels. */
  readonly samples: Int16Array;
}

const FORMAT_PCM = 1;
/** The format's own tag stands in the first two bytes of its subformat GUID, at offset 24 of the chunk. */
const FORMAT_EXTENSIBLE = 0xfffe;
const SUBFORMAT_OFFSET = 24;

export function encodeWav({ samples, ...format }: WavAudio): Buffer {
  return Buffer.concat([wavHeader(format, samples.byteLength), bytesFromSamples(samples)]);
}

/** Throws a `RangeError` that says what is wrong with the file. */
export function decodeWav(bytes: Uint8Array): WavAudio {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < 12 || file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WAVE")
    throw new RangeError("not a WAV file");

  let format: { sampleRateHz: number; channels: number } | undefined;
  for (let offset = 12; offset + 8 <= file.length;) {
    const id = file.toString("latin1", offset, offset + 4);
    const declared = file.readUInt32LE(offset + 4);
    const start = offset + 8;
    // Writers that stream leave the length open (0xffffffff); what the file holds is what there is.
    const chunk = file.subarray(start, Math.min(start + declared, file.length));
    if (id === "fmt ") format = parseFormat(chunk);
    if (id === "data") {
      if (format === undefined) throw new RangeError("WAV data before its format");
      return { ...format, samples: samplesFromBytes(chunk) };
    }
    offset = start + declared + (declared & 1); // chunks are padded to even length
  }
  throw new RangeError("WAV file without data");
}

function parseFormat(chunk: Buffer): { sampleRateHz: number; channels: number } {
  if (chunk.length < 16) throw new RangeError("WAV format chunk is too short");
  const tag = chunk.readUInt16LE(0);
  const format =
    tag === FORMAT_EXTENSIBLE && chunk.length >= SUBFORMAT_OFFSET + 2 ? chunk.readUInt16LE(SUBFORMAT_OFFSET) : tag;
  const bitsPerSample = chunk.readUInt16LE(14);
  if (format !== FORMAT_PCM || bitsPerSample !== bytesPerSample * 8)
    throw new RangeError(`WAV must be 16-bit PCM (format ${format}, ${bitsPerSample} bits)`);
  const channels = chunk.readUInt16LE(2);
  const sampleRateHz = chunk.readUInt32LE(4);
  if (channels === 0 || sampleRateHz === 0) throw new RangeError("WAV format has no channels or no sample rate");
  return { sampleRateHz, channels };
}
