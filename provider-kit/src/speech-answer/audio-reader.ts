/**
 * Converts a speech server's response into playable audio, whatever format was requested: samples without a header, WAV, or either of them
 * as base64 in JSON or in events. Data that is not audio is never passed on; it causes an error that says what it was.
 */
import { UpstreamAccessError, explainedError } from "@voice/shared/platform/errors";
import { identifyAudio, isText } from "../audio/identify-audio.ts";
import { PcmDecoder } from "../audio/pcm-format.ts";
import type { SampleFormat, SampleCoding } from "../audio/pcm-format.ts";
import { codingOfRaw, decisiveBytes, isNoiseAtFullVolume } from "../audio/raw-samples.ts";
import { createResampler, isReadableRate } from "../audio/resample.ts";
import type { Resampler } from "../audio/resample.ts";
import { TextAudioReader } from "./text-audio-reader.ts";
import { WavStream } from "../audio/wav-stream.ts";

export interface AudioReaderOptions {
  /** The headers of the response that contains the bytes. */
  readonly headers: Headers;
  /** The name of the service, for errors: `speech synthesis`. */
  readonly service: string;
  /** For samples without a header, if the response does not declare a rate. */
  readonly rawRateHz: number;
  /** The rate of the output. */
  readonly sampleRateHz: number;
  /** PCM16, one channel, at `sampleRateHz`. The receiver owns the array. */
  onAudio(samples: Int16Array): void;
}

/** A server that sends audio in a form that is not supported: it has to be configured, or asked, in another way. */
export class UnreadableAudioError extends UpstreamAccessError {
  constructor(service: string, found: string) {
    const what = `${service} answered ${found}; set its response format to pcm or wav`;
    super(what, what);
  }
}

type Stage =
  | { readonly kind: "head" }
  | { readonly kind: "raw-head" }
  | { readonly kind: "sound"; readonly stream: WavStream; readonly isRaw: boolean }
  | { readonly kind: "text"; readonly reader: TextAudioReader };

/** The first bytes are collected until their format is clear; after that, each chunk is decoded separately. */
export class AudioReader {
  readonly #options: AudioReaderOptions;
  readonly #declared: DeclaredAudio;
  #stage: Stage = { kind: "head" };
  #head: Uint8Array = new Uint8Array(0);
  /** Silence before the first sound, which does not show the coding; joined once, because it may be long. */
  readonly #silence: Uint8Array[] = [];
  #format: SampleFormat | undefined;
  #container = "";
  #decoder: PcmDecoder | undefined;
  #resampler: Resampler | undefined;

  constructor(options: AudioReaderOptions, declared = declaredAudio(options.headers)) {
    this.#options = options;
    this.#declared = declared;
  }

  /** The format found so far, as text for people: `WAV, s16le, 22050 Hz, 1 channel`. */
  get found(): string | undefined {
    if (this.#stage.kind === "text" && this.#stage.reader.found !== undefined)
      return `${this.#stage.reader.found} in ${this.#stage.reader.container}`;
    if (this.#format === undefined) return undefined;
    const { coding, sampleRateHz, channels } = this.#format;
    const isStated = this.#container === "WAV" || this.#declared.sampleRateHz !== undefined;
    return `${this.#container}, ${coding}, ${sampleRateHz} Hz${isStated ? "" : " (not stated)"}, ${channels === 1 ? "1 channel" : `${channels} channels`}`;
  }

  /** Throws a `VoiceError`, after which nothing more may be written. */
  write(bytes: Uint8Array): void {
    this.#read(bytes, false);
  }

  /** There are no more bytes. Throws if the response is not complete. */
  end(): void {
    this.#read(new Uint8Array(0), true);
    if (this.#stage.kind === "text") this.#stage.reader.end();
    if (this.#stage.kind !== "sound") return;
    const { stream } = this.#stage;
    this.#inWords(() => stream.end());
  }

  #read(bytes: Uint8Array, isAll: boolean): void {
    const stage = this.#stage;
    if (stage.kind === "text") return stage.reader.write(bytes);
    if (stage.kind === "sound") return this.#hear(stage, bytes);
    this.#head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
    if (this.#stage.kind === "head") this.#identify(isAll);
    if (this.#stage.kind === "raw-head") this.#identifySamples(isAll);
    return undefined;
  }

  #identify(isAll: boolean): void {
    const { mediaType, coding } = this.#declared;
    const declaresMpeg = /mpeg|mp3|aac|mp4/.test(mediaType);
    const identified = identifyAudio(this.#head, isAll, declaresMpeg);
    if (identified === undefined) return;
    // With one byte for each sample, sixteen bytes in a row may well look like letters.
    const isEightBits = coding === "mulaw" || coding === "alaw";
    const { kind } = identified.kind === "text" && isEightBits ? { kind: "unknown" } : identified;
    if (identified.kind === "other") throw new UnreadableAudioError(this.#options.service, identified.name);
    if (kind === "wav") this.#begin("WAV", new WavStream(this.#wavEvents()), false);
    else if (kind === "text") this.#beginText();
    else this.#stage = { kind: "raw-head" };
  }

  #identifySamples(isAll: boolean): void {
    const { channels = 1, sampleRateHz = this.#options.rawRateHz, coding: declared } = this.#declared;
    if (!isAll && declared === undefined) this.#setSilenceAside();
    const isDecisive = isAll || declared !== undefined || this.#head.length >= decisiveBytes;
    if (!isDecisive || (this.#head.length === 0 && this.#silence.length === 0)) return;
    const sound = firstSound(this.#head);
    const coding = declared ?? codingOfRaw(this.#head.subarray(sound, sound + decisiveBytes), channels);
    this.#head = Buffer.concat([...this.#silence.splice(0), this.#head]);
    if (coding === undefined) {
      const { mediaType } = this.#declared;
      throw new UnreadableAudioError(this.#options.service, `noise${mediaType === "" ? "" : ` as ${mediaType}`}`);
    }
    const format = { coding, channels, sampleRateHz };
    this.#begin("samples without a header", new WavStream(this.#wavEvents(), format), declared === undefined);
  }

  #setSilenceAside(): void {
    const sound = firstSound(this.#head);
    if (sound > 0) this.#silence.push(this.#head.subarray(0, sound));
    this.#head = this.#head.subarray(sound);
  }

  #begin(container: string, stream: WavStream, isRaw: boolean): void {
    this.#container = container;
    const stage = { kind: "sound", stream, isRaw } as const;
    this.#stage = stage;
    const head = this.#head;
    this.#head = new Uint8Array(0);
    this.#hear(stage, head);
  }

  #beginText(): void {
    const { service } = this.#options;
    const reader = new TextAudioReader(
      service,
      this.#declared.mediaType, // The headers describe the JSON, not the audio inside it.
      (sampleRateHz) =>
        new AudioReader(this.#options, { mediaType: "", sampleRateHz: sampleRateHz ?? this.#declared.sampleRateHz }),
    );
    this.#stage = { kind: "text", reader };
    const head = this.#head;
    this.#head = new Uint8Array(0);
    reader.write(head);
  }

  #hear({ stream, isRaw }: Extract<Stage, { kind: "sound" }>, bytes: Uint8Array): void {
    // A server that fails in the middle of its response may report that inside the response.
    if (isRaw && bytes.length >= decisiveBytes / 8 && isText(bytes))
      throw explainedError("upstream_unavailable", `${this.#options.service} answered text in the middle of its audio`);
    this.#inWords(() => stream.write(bytes));
  }

  #wavEvents() {
    return {
      onFormat: (format: SampleFormat): void => {
        const isSame = JSON.stringify(format) === JSON.stringify(this.#format);
        this.#decoder = new PcmDecoder(format);
        this.#format = format;
        if (!isSame) this.#resampler = createResampler(format.sampleRateHz, this.#options.sampleRateHz);
      },
      onSound: (bytes: Uint8Array): void => {
        const samples = this.#decoder?.decode(bytes);
        if (samples === undefined || this.#resampler === undefined) return;
        if (this.#stage.kind === "sound" && this.#stage.isRaw && isNoiseAtFullVolume(samples))
          throw new UnreadableAudioError(this.#options.service, "noise");
        const audio = this.#resampler.process(samples);
        if (audio.length > 0) this.#options.onAudio(audio);
      },
    };
  }

  #inWords(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (error instanceof RangeError) throw new UnreadableAudioError(this.#options.service, error.message);
      throw error;
    }
  }
}

/** Where the silence at the beginning ends: at a multiple of every sample size, so that no sample is split. */
function firstSound(bytes: Uint8Array): number {
  const at = bytes.findIndex((byte) => byte !== 0);
  const end = at === -1 ? bytes.length : at;
  return end - (end % 8);
}

/**
 * What a server declares about the audio that it sends: in its content type (RFC 2586 for `rate`, `channels`), or in a header of its own.
 */
interface DeclaredAudio {
  /** Without parameters, in lower case; empty if the server declares none. */
  readonly mediaType: string;
  readonly sampleRateHz?: number | undefined;
  readonly channels?: number | undefined;
  /** For samples of 8 bits without a header. Other codings can be recognised by their bytes. */
  readonly coding?: SampleCoding | undefined;
}

const eightBitRateHz = 8_000;

function declaredAudio(headers: Headers): DeclaredAudio {
  const contentType = (headers.get("content-type") ?? "").toLowerCase();
  const mediaType = contentType.split(";", 1)[0]?.trim() ?? "";
  const coding = codingOf(contentType);
  const rate =
    numberIn(contentType, /\b(?:sample|sampling)?[-_ ]?rate\s*=\s*"?(\d+)/) ??
    headerNamed(headers, /(?:^|-)sampl(?:e|ing)-?rate(?:-hz)?$/) ??
    (mediaType.startsWith("audio/") && (coding === "mulaw" || coding === "alaw") ? eightBitRateHz : undefined);
  const channels = numberIn(contentType, /\bchannels?\s*=\s*"?(\d+)/) ?? headerNamed(headers, /(?:^|-)channels$/);
  return {
    mediaType,
    sampleRateHz: rate !== undefined && isReadableRate(rate) ? rate : undefined,
    channels: channels !== undefined && channels >= 1 && channels <= 8 ? channels : undefined,
    coding,
  };
}

function codingOf(contentType: string): SampleCoding | undefined {
  if (/pcmu|mu-?law|ulaw|audio\/basic/.test(contentType)) return "mulaw";
  return /pcma|\ba-?law|x-alaw/.test(contentType) ? "alaw" : undefined;
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

function headerNamed(headers: Headers, name: RegExp): number | undefined {
  for (const [key, value] of headers) if (name.test(key) && /^\d+$/.test(value.trim())) return Number(value);
  return undefined;
}
