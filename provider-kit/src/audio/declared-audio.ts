/**
 * What a server declares about the audio that it sends: in its content type (RFC 2586 for `rate`, `channels`), or in a header of its own.
 */
import { isReadableRate } from "./resample.ts";
import type { SampleCoding } from "./pcm-format.ts";

export interface DeclaredAudio {
  /** Without parameters, in lower case; empty if the server declares none. */
  readonly mediaType: string;
  readonly sampleRateHz?: number | undefined;
  readonly channels?: number | undefined;
  /** For samples of 8 bits without a header. Other codings can be recognised by their bytes. */
  readonly coding?: SampleCoding | undefined;
}

const eightBitRateHz = 8_000;

export function declaredAudio(headers: Headers): DeclaredAudio {
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
