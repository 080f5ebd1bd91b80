/**
 * Recognises a format by its first bytes: servers declare formats wrongly, or not at all, and data that is not audio would be played as
 * noise at full volume. Pure.
 */

export type AudioKind =
  /** A WAV file: RIFF, or one of its successors for more than 4 GB. */
  | { readonly kind: "wav" }
  /** Text: JSON, HTML, events. */
  | { readonly kind: "text" }
  /** A format that is not supported, with its common name. */
  | { readonly kind: "other"; readonly name: string }
  /** No known format: samples without a header, or anything else. */
  | { readonly kind: "unknown" };

/** More bytes are not needed: two frames of MPEG audio, the longest of which has 2,881 bytes, and a header. */
const longestHeadBytes = 2_900;

interface Signature {
  readonly name: string;
  readonly parts: readonly (readonly [at: number, bytes: string])[];
}

/** From IANA's and Wikipedia's lists of signatures; the more specific ones come first. */
const signatures: readonly Signature[] = [
  { name: "wav", parts: [[0, "RIFF"], [8, "WAVE"]] }, // prettier-ignore
  { name: "wav", parts: [[0, "RF64"], [8, "WAVE"]] }, // prettier-ignore
  { name: "wav", parts: [[0, "BW64"], [8, "WAVE"]] }, // prettier-ignore
  { name: "WAV with the bytes of its samples in reverse (RIFX)", parts: [[0, "RIFX"]] },
  { name: "another file of RIFF", parts: [[0, "RIFF"]] },
  { name: "AIFF", parts: [[0, "FORM"], [8, "AIF"]] }, // prettier-ignore
  { name: "Ogg Opus", parts: [[0, "OggS"], [28, "OpusHead"]] }, // prettier-ignore
  { name: "Ogg", parts: [[0, "OggS"]] },
  { name: "FLAC", parts: [[0, "fLaC"]] },
  { name: "MP3", parts: [[0, "ID3"]] },
  { name: "WebM", parts: [[0, "\x1aE\xdf\xa3"]] },
  { name: "MP4", parts: [[4, "ftyp"]] },
  { name: "AAC", parts: [[0, "ADIF"]] },
  { name: "AU", parts: [[0, ".snd"]] },
  { name: "CAF", parts: [[0, "caff"]] },
  { name: "AMR", parts: [[0, "#!AMR"]] },
  { name: "gzip", parts: [[0, "\x1f\x8b\x08"]] },
  { name: "ZIP", parts: [[0, "PK\x03\x04"]] },
];

/** Audio never starts with this many letters in a row: each pair would be a sample of a quarter of full scale or more, all above zero. */
const leastTextBytes = 16;

/**
 * Undefined while more bytes could decide; `isAll`: there are no more. `declaresMpeg`: the sender declares MP3 or AAC, so a first frame is
 * sufficient proof.
 */
export function identifyAudio(head: Uint8Array, isAll: boolean, declaresMpeg = false): AudioKind | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, longestHeadBytes));
  const isEnough = isAll || head.length >= longestHeadBytes;
  for (const { name, parts } of signatures) {
    const match = matches(bytes, parts);
    if (match === "yes") return name === "wav" ? { kind: "wav" } : { kind: "other", name };
    if (match === "perhaps" && !isEnough) return undefined;
  }
  const mpeg = mpegAudio(bytes, declaresMpeg);
  if (mpeg === "perhaps" && !isEnough) return undefined;
  if (mpeg !== undefined && mpeg !== "perhaps") return { kind: "other", name: mpeg };
  const text = isText(bytes);
  if (text && (isAll ? bytes.length > 0 : bytes.length >= leastTextBytes)) return { kind: "text" };
  return text && !isAll ? undefined : { kind: "unknown" };
}

/** Several letters of a language, or the punctuation between them; audio does not look like this. */
export function isText(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) {
      const isSpace = byte >= 0x09 && byte <= 0x0d;
      if ((byte < 0x20 && !isSpace) || byte === 0x7f) return false;
      continue;
    }
    const following =
      byte >= 0xc2 && byte < 0xe0 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xf0 && byte < 0xf5 ? 3 : 0;
    if (following === 0) return false;
    for (let more = 0; more < following && at + 1 < bytes.length; more++)
      if (((bytes[++at] ?? 0) & 0xc0) !== 0x80) return false;
  }
  return true;
}

function matches(bytes: Buffer, parts: Signature["parts"]): "yes" | "perhaps" | "no" {
  let isWhole = true;
  for (const [at, expected] of parts) {
    const there = bytes.toString("latin1", at, at + expected.length);
    if (!expected.startsWith(there)) return "no";
    if (there.length < expected.length) isWhole = false;
  }
  return isWhole ? "yes" : "perhaps";
}

/**
 * A frame of MPEG audio begins with eleven set bits, but so may samples. It is certain if another frame begins where the first one ends.
 */
function mpegAudio(bytes: Buffer, isDeclared: boolean): "MP3" | "AAC" | "perhaps" | undefined {
  if (bytes.length < 2) return bytes.length === 0 || bytes[0] === 0xff ? "perhaps" : undefined;
  if (bytes[0] !== 0xff || (bytes.readUInt8(1) & 0xe0) !== 0xe0) return undefined;
  if (bytes.length < 6) return "perhaps";
  const name = (bytes.readUInt8(1) & 0xf6) === 0xf0 ? "AAC" : "MP3";
  const frame = name === "AAC" ? adtsFrameBytes(bytes) : mpegFrameBytes(bytes);
  if (frame === undefined) return undefined;
  if (isDeclared) return name;
  if (bytes.length < frame + 2) return "perhaps";
  // Version, layer and protection are the same in all frames.
  return bytes[frame] === 0xff && bytes[frame + 1] === bytes[1] ? name : undefined;
}

/** ISO/IEC 13818-7, 6.2.1: a length of thirteen bits, which includes the header. */
function adtsFrameBytes(bytes: Buffer): number | undefined {
  const rate = (bytes.readUInt8(2) >> 2) & 0x0f;
  const length = ((bytes.readUInt8(3) & 0x03) << 11) | (bytes.readUInt8(4) << 3) | (bytes.readUInt8(5) >> 5);
  return rate < 13 && length > 7 ? length : undefined;
}

const kilobits = {
  v1: {
    1: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    2: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  v2: {
    1: [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    3: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  },
} as const;
const mpeg1RatesHz = [44_100, 48_000, 32_000] as const;

/** ISO/IEC 11172-3, 2.4.1.3, and 13818-3 for half the rates. */
function mpegFrameBytes(bytes: Buffer): number | undefined {
  const version = (bytes.readUInt8(1) >> 3) & 3;
  const layerBits = (bytes.readUInt8(1) >> 1) & 3;
  const rate = mpeg1RatesHz[(bytes.readUInt8(2) >> 2) & 3];
  if (version === 1 || layerBits === 0 || rate === undefined) return undefined;
  const layer = layerBits === 3 ? 1 : layerBits === 2 ? 2 : 3;
  const isFirst = version === 3;
  const kbits = kilobits[isFirst ? "v1" : "v2"][layer][(bytes.readUInt8(2) >> 4) - 1];
  if (kbits === undefined) return undefined;
  const rateHz = rate / (isFirst ? 1 : version === 2 ? 2 : 4);
  const padding = (bytes.readUInt8(2) >> 1) & 1;
  if (layer === 1) return (Math.floor((12_000 * kbits) / rateHz) + padding) * 4;
  const bytesPerKilobit = layer === 3 && !isFirst ? 72_000 : 144_000;
  return Math.floor((bytesPerKilobit * kbits) / rateHz) + padding;
}
