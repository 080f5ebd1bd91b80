/** PCM16 WAV files: the format that the caller tool reads and writes, and in which recordings are stored. */
import { parseWavFormat, wavHeader, type PcmFormat } from "@voice/shared/recordings/wav-header";
import { bytesFromSamples, samplesFromBytes } from "./pcm16.ts";

export interface WavAudio extends PcmFormat {
  /** Interleaved if there are several channels. */
  readonly samples: Int16Array;
}

export function encodeWav({ samples, ...format }: WavAudio): Buffer {
  return Buffer.concat([wavHeader(format, samples.byteLength), bytesFromSamples(samples)]);
}

/** Throws a `RangeError` that says what is wrong with the file. */
export function decodeWav(bytes: Uint8Array): WavAudio {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < 12 || file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WAVE")
    throw new RangeError("not a WAV file");

  let format: PcmFormat | undefined;
  for (let offset = 12; offset + 8 <= file.length;) {
    const id = file.toString("latin1", offset, offset + 4);
    const declared = file.readUInt32LE(offset + 4);
    const start = offset + 8;
    // Writers that stream leave the length open (0xffffffff); the actual size of the file counts.
    const chunk = file.subarray(start, Math.min(start + declared, file.length));
    if (id === "fmt ") format = parseWavFormat(chunk);
    if (id === "data") {
      if (format === undefined) throw new RangeError("WAV data before its format");
      return { ...format, samples: samplesFromBytes(chunk) };
    }
    offset = start + declared + (declared & 1); // chunks are padded to even length
  }
  throw new RangeError("WAV file without data");
}
