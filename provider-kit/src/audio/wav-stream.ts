/**
 * Reads a WAV file while it arrives, split anywhere, and passes the audio on at once. Servers that stream do not know the length in
 * advance: they leave it open (0, or all bits set), write that of the first piece only, or send one file after the other. Microsoft,
 * "Multiple channel audio data and WAVE files"; EBU Tech 3306 for RF64.
 */
import { readWavFields } from "@voice/shared/recordings/wav-header";
import { isReadableRate } from "./resample.ts";
import { bytesOf } from "./pcm-format.ts";
import type { SampleFormat, SampleCoding } from "./pcm-format.ts";

export interface WavEvents {
  onFormat(format: SampleFormat): void;
  /** Bytes of samples, split anywhere, in memory that belongs to the sender. */
  onSound(bytes: Uint8Array): void;
}

type State = "file" | "chunk" | "format" | "skip" | "sound";

const fileHeadBytes = 12;
const chunkHeadBytes = 8;
/** The size of an extensible format chunk. */
const mostFormatBytes = 40;
/** A length that is not known. Writers that reserve room for the headers write slightly less than all bits, or all except the sign bit. */
const isOpen = (length: number): boolean => length === 0 || length >= 0x7fff_0000;
const fileHeads = new Set(["RIFF", "RF64", "BW64"]);

export class WavStream {
  readonly #events: WavEvents;
  #state: State;
  /** The beginning of a header that is not complete yet. */
  readonly #head = Buffer.alloc(mostFormatBytes);
  #filled = 0;
  #wanted = fileHeadBytes;
  /** Remaining bytes to be skipped, or of audio; Infinity if the length is open. */
  #left = 0;
  /** Chunks of odd length are followed by a zero byte. */
  #isPadded = false;
  #hasFormat = false;
  #hasSound = false;

  /** With `samples`, the stream starts with audio of a known format; files may follow. */
  constructor(events: WavEvents, samples?: SampleFormat) {
    this.#events = events;
    this.#state = samples === undefined ? "file" : "sound";
    if (samples === undefined) return;
    this.#hasFormat = true;
    this.#left = Infinity;
    events.onFormat(samples);
  }

  /** Throws a `RangeError` that says what is wrong with the file. */
  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) at += this.#take(chunk.subarray(at));
  }

  /** Reports the last audio bytes, which were held back because they could have been the beginning of another file. */
  end(): void {
    if (this.#state === "sound" && this.#filled > 0) this.#passOn(this.#head.subarray(0, this.#filled));
    this.#filled = 0;
  }

  /** Returns how many bytes were consumed. */
  #take(bytes: Uint8Array): number {
    if (this.#state === "sound") return this.#takeSound(bytes);
    if (this.#state === "skip") {
      const skipped = Math.min(this.#left, bytes.length);
      this.#left -= skipped;
      if (this.#left === 0) this.#expect("chunk", chunkHeadBytes);
      return skipped;
    }
    const taken = Math.min(this.#wanted - this.#filled, bytes.length);
    this.#head.set(bytes.subarray(0, taken), this.#filled);
    this.#filled += taken;
    if (this.#filled === this.#wanted) this.#readHead();
    return taken;
  }

  #expect(state: State, wanted: number): void {
    this.#state = state;
    this.#wanted = wanted;
    this.#filled = 0;
    if (wanted === 0) this.#readHead();
  }

  #readHead(): void {
    const head = this.#head.subarray(0, this.#filled);
    if (this.#state === "file") this.#expect("chunk", chunkHeadBytes);
    else if (this.#state === "format") {
      this.#events.onFormat(parseFormat(head));
      this.#hasFormat = true;
      if (this.#left > 0) this.#state = "skip";
      else this.#expect("chunk", chunkHeadBytes);
    } else this.#readChunkHead(head);
  }

  #readChunkHead(head: Buffer): void {
    const id = head.toString("latin1", 0, 4);
    const length = head.readUInt32LE(4);
    if (this.#hasSound && !/^[A-Za-z][\w ]{3}$/.test(id)) return this.#goOn(head);
    if (fileHeads.has(id)) {
      // Another file follows: after four more bytes, the text WAVE.
      this.#state = "file";
      this.#wanted = fileHeadBytes;
      return;
    }
    if (id === "fmt ") {
      const read = Math.min(length, mostFormatBytes);
      this.#left = length - read + (length & 1);
      this.#expect("format", read);
    } else if (id === "data") {
      if (!this.#hasFormat) throw new RangeError("a WAV file whose sound comes before its format");
      this.#left = isOpen(length) ? Infinity : length;
      this.#isPadded = (length & 1) === 1;
      this.#expect("sound", fileHeadBytes);
    } else {
      this.#left = length + (length & 1);
      this.#expect("skip", chunkHeadBytes);
      if (this.#left === 0) this.#expect("chunk", chunkHeadBytes);
    }
  }

  /** What follows the audio is not a chunk, so the length was that of the first piece only. */
  #goOn(head: Buffer): void {
    this.#left = Infinity;
    this.#state = "sound";
    this.#filled = 0;
    this.#passOn(Buffer.from(head));
  }

  #takeSound(bytes: Uint8Array): number {
    if (this.#left === Infinity) return this.#takeOpenSound(bytes);
    const taken = Math.min(this.#left, bytes.length);
    this.#passOn(bytes.subarray(0, taken));
    this.#left -= taken;
    if (this.#left > 0) return taken;
    if (this.#isPadded) {
      this.#left = 1;
      this.#state = "skip";
    } else this.#expect("chunk", chunkHeadBytes);
    return taken;
  }

  /**
   * Reads up to the next file, if one begins in these bytes. Its header may be split, so bytes that could be its beginning are held back.
   */
  #takeOpenSound(bytes: Uint8Array): number {
    if (this.#filled > 0) return this.#takeAfterWithheld(bytes);
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = view.indexOf("R"); at !== -1; at = view.indexOf("R", at + 1)) {
      const candidate = view.subarray(at, at + fileHeadBytes);
      if (!mayBeFileHead(candidate)) continue;
      this.#passOn(bytes.subarray(0, at));
      this.#head.set(candidate);
      this.#filled = candidate.length;
      this.#beginFileIfWhole();
      return at + candidate.length;
    }
    this.#passOn(bytes);
    return bytes.length;
  }

  #takeAfterWithheld(bytes: Uint8Array): number {
    this.#head[this.#filled] = bytes[0] ?? 0;
    this.#filled++;
    if (mayBeFileHead(this.#head.subarray(0, this.#filled))) {
      this.#beginFileIfWhole();
      return 1;
    }
    // The byte that ruled out a header may itself begin one.
    const sound = Buffer.from(this.#head.subarray(0, this.#filled - 1));
    this.#filled = 0;
    this.#passOn(sound);
    return 0;
  }

  #beginFileIfWhole(): void {
    if (this.#filled === fileHeadBytes) this.#expect("chunk", chunkHeadBytes);
  }

  #passOn(sound: Uint8Array): void {
    if (sound.length === 0) return;
    this.#hasSound = true;
    this.#events.onSound(sound);
  }
}

/** The beginning matches so far: RIFF, four bytes, WAVE. */
function mayBeFileHead(bytes: Buffer): boolean {
  return "RIFF".startsWith(bytes.toString("latin1", 0, 4)) && "WAVE".startsWith(bytes.toString("latin1", 8, 12));
}

const mostChannels = 8;

const integers: Readonly<Record<number, SampleCoding>> = { 1: "u8", 2: "s16le", 3: "s24le", 4: "s32le" };
const floats: Readonly<Record<number, SampleCoding>> = { 4: "f32le", 8: "f64le" };
const codings: Readonly<Record<number, Readonly<Record<number, SampleCoding>>>> = {
  1: integers,
  3: floats,
  6: { 1: "alaw" },
  7: { 1: "mulaw" },
};

function parseFormat(chunk: Buffer): SampleFormat {
  const { format, channels, sampleRateHz, frameBytes, bitsPerSample } = readWavFields(chunk);
  const width = widthOf(frameBytes / channels, bitsPerSample);
  const coding = codings[format]?.[width];
  if (coding === undefined) throw new RangeError(`WAV of format ${format} with ${bitsPerSample} bits`);
  if (channels === 0 || channels > mostChannels) throw new RangeError(`WAV with ${channels} channels`);
  if (!isReadableRate(sampleRateHz)) throw new RangeError(`WAV at ${sampleRateHz} Hz`);
  return { coding, channels, sampleRateHz };
}

/** Samples of 20 or 24 bits may be left-aligned in more bytes than they need; the frame size shows it. */
function widthOf(aligned: number, bits: number): number {
  const least = Math.ceil(bits / 8);
  return Number.isInteger(aligned) && aligned >= least && aligned <= bytesOf.f64le ? aligned : least;
}
