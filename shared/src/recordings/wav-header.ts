/** The 44 bytes before the samples of a PCM16 WAV file. */
import type { RecordingFormat, StoredRecording } from "./recording-store.ts";

/** Also what no recording has: more channels. */
interface PcmFormat {
  readonly sampleRateHz: number;
  readonly channels: number;
}

export const wavHeaderBytes = 44;
const bytesPerSample = 2;
const formatPcm = 1;
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

/** Undefined for what is not a header of ours. The sizes in it are not looked at: the file's own size is the truth. */
export function parseWavHeader(bytes: Uint8Array): RecordingFormat | undefined {
  if (bytes.length < wavHeaderBytes) return undefined;
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isWav = header.toString("latin1", 0, 4) === "RIFF" && header.toString("latin1", 8, 16) === "WAVEfmt ";
  const channels = header.readUInt16LE(22);
  if (!isWav || header.readUInt16LE(20) !== formatPcm || (channels !== 1 && channels !== 2)) return undefined;
  return { channels, sampleRateHz: header.readUInt32LE(24) };
}

/** From the size of a file and its first bytes; half a frame at the end is the trace of a lost process. */
export function describeWav(header: Uint8Array, fileBytes: number): StoredRecording | undefined {
  const format = parseWavHeader(header);
  if (format === undefined) return undefined;
  const dataBytes = Math.max(0, fileBytes - wavHeaderBytes);
  return { ...format, dataBytes: dataBytes - (dataBytes % frameBytes(format)) };
}
