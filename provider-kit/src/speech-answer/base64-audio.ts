/**
 * Finds the audio in JSON. Servers name its field as they like (`audio`, `data`, `audioContent`, `b64_json`, nested or not), so it is
 * recognised by its content: the longest text that can only be base64 (RFC 4648), or hexadecimal digits. Pure.
 */
import { isReadableRate } from "../audio/resample.ts";
import { isPlainObject } from "@voice/shared/platform/plain-object";

export interface FoundAudio {
  readonly bytes: Uint8Array;
  readonly sampleRateHz: number | undefined;
}

/** Ids and digests are shorter: SHA-512 in hexadecimal has 128 digits. */
const leastLength = 160;
/** In events, where pieces may be short, the field's name is considered as well. */
const audioField = /audio|delta|data|b64|base64|pcm|wav/i;
const rateField = /sampl(?:e|ing)_?rate/i;
const dataUrl = /^data:[\w.+/;=-]*,/;

/** `inEvent`: the JSON is one piece of many. */
export function findAudio(json: unknown, inEvent: boolean): FoundAudio | undefined {
  const found: { text: string; rate: number | undefined } = { text: "", rate: undefined };
  look(json, "", 0, (key, value) => {
    if (typeof value === "number") {
      if (rateField.test(key) && isReadableRate(value)) found.rate = value;
    } else {
      const text = value.replace(dataUrl, "");
      const isLong = text.length >= leastLength || (inEvent && audioField.test(key) && text.length % 4 === 0);
      if (isLong && text.length > found.text.length && isBase64(text)) found.text = text;
    }
  });
  return found.text === "" ? undefined : { bytes: decode(found.text), sampleRateHz: found.rate };
}

/** The code of an error anywhere in a response; undefined if there is none. */
export function errorCodeIn(json: unknown): unknown {
  if (!isPlainObject(json)) return undefined;
  const { error, detail } = json;
  const inner = isPlainObject(error) ? error : isPlainObject(detail) ? detail : json;
  return inner["code"] ?? inner["type"] ?? (typeof error === "string" ? error : undefined);
}

const deepest = 6;

function look(
  value: unknown,
  key: string,
  depth: number,
  onValue: (key: string, value: string | number) => void,
): void {
  if (typeof value === "string" || typeof value === "number") onValue(key, value);
  else if (typeof value !== "object" || value === null || depth > deepest) return;
  else if (Array.isArray(value)) for (const item of value) look(item, key, depth + 1, onValue);
  else for (const [name, item] of Object.entries(value)) look(item, name, depth + 1, onValue);
}

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/\r\n_-]+={0,2}\s*$/.test(text);
/** Base64 of silence consists of the letter A only, which is also a hexadecimal digit. */
const isHexadecimal = (text: string): boolean =>
  text.length % 2 === 0 && /^(?=\D*\d)(?:[0-9a-f]+|[0-9A-F]+)$/.test(text);

function decode(text: string): Uint8Array {
  return Buffer.from(text, isHexadecimal(text) && text.length >= leastLength ? "hex" : "base64");
}
