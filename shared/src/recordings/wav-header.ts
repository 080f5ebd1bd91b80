/** The format of PCM16 WAV files, and the 44 bytes that stand before the samples in those that we write. */
import type { RecordingFormat, StoredRecording } from "./recording-store.ts";

/** Files from elsewhere may have more channels than a recording has. */
export interface PcmFormat {
  readonly sampleRateHz: number;
  readonly channels: number;
}

export const wavHeaderBytes = 44;
const bytesPerSample = 2;
const formatPcm = 1;
/** The format's own tag stands in the first two bytes of its subformat GUID, at offset 24 of the chunk. */
const formatExtensible = 0xfffe;
const subformatAt = 24;
const formatChunkAt = 20;
const formatChunkBytes = 16;
/** The format counts in 32 bits: 18 hours of stereo at 16 kHz. Readers take the end of the file for the end beyond it. */
const maxDataBytes = 0xffff_ffff - wavHeaderBytes;

export function frameBytes({ channels }: PcmFormat): number {
  return channels * bytesPerSample;
}

export function bytesPerSecond(format: PcmFormat): number {
  return format.sampleRateHz * frameBytes(format);
}

export function wavHeader(format: PcmFormat, dataBytes: number): Uint8Array<ArrayBuffer> {
  const counted = Math.min(dataBytes, maxDataBytes);
  const header = Buffer.from(new ArrayBuffer(wavHeaderBytes));
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(wavHeaderBytes - 8 + counted, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(formatPcm, 20);
  header.writeUInt16LE(format.channels, 22);
  header.writeUInt32LE(format.sampleRateHz, 24);
  header.writeUInt32LE(bytesPerSecond(format), 28);
  header.writeUInt16LE(frameBytes(format), 32);
  header.writeUInt16LE(bytesPerSample * 8, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(counted, 40);
  return header;
}

interface WavFields extends PcmFormat {
  /** 1: PCM; of an extensible format, its own. */
  readonly format: number;
  readonly frameBytes: number;
  readonly bitsPerSample: number;
}

/** What stands in the `fmt ` chunk of any WAV file. Throws a `RangeError` where it is cut off. */
export function readWavFields(chunk: Uint8Array): WavFields {
  if (chunk.length < formatChunkBytes) throw new RangeError("a WAV file whose format is cut off");
  const fields = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const tag = fields.readUInt16LE(0);
  return {
    format: tag === formatExtensible && chunk.length >= subformatAt + 2 ? fields.readUInt16LE(subformatAt) : tag,
    channels: fields.readUInt16LE(2),
    sampleRateHz: fields.readUInt32LE(4),
    frameBytes: fields.readUInt16LE(12),
    bitsPerSample: fields.readUInt16LE(14),
  };
}

/** The format of a file of PCM16. Throws a `RangeError` that says what is wrong with it. */
export function parseWavFormat(chunk: Uint8Array): PcmFormat {
  const { format, channels, sampleRateHz, bitsPerSample } = readWavFields(chunk);
  if (format !== formatPcm || bitsPerSample !== bytesPerSample * 8)
    throw new RangeError(`WAV must be 16-bit PCM (format ${format}, ${bitsPerSample} bits)`);
  if (channels === 0 || sampleRateHz === 0) throw new RangeError("WAV format has no channels or no sample rate");
  return { sampleRateHz, channels };
}

/** Undefined if it is not a header of ours. Its sizes are ignored, because the file's own size is authoritative. */
export function parseWavHeader(bytes: Uint8Array): RecordingFormat | undefined {
  if (bytes.length < wavHeaderBytes) return undefined;
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWav = header.toString("latin1", 0, 4) === "RIFF" && header.toString("latin1", 8, 16) === "WAVEfmt ";
  if (!isWav) return undefined;
  try {
    const { channels, sampleRateHz } = parseWavFormat(header.subarray(formatChunkAt, formatChunkAt + formatChunkBytes));
    return channels === 1 || channels === 2 ? { channels, sampleRateHz } : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Derived from the file's size and its first bytes; a partial frame at the end is left by a lost process. */
export function describeWav(header: Uint8Array, fileBytes: number): StoredRecording | undefined {
  const format = parseWavHeader(header);
  if (format === undefined) return undefined;
  const dataBytes = Math.max(0, fileBytes - wavHeaderBytes);
  return { ...format, dataBytes: dataBytes - (dataBytes % frameBytes(format)) };
}
