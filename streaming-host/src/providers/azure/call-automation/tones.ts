import type { Tone } from "@azure/communication-call-automation";
import { BadRequestError } from "@voice/shared/platform/errors";

const toneByKey: ReadonlyMap<string, Tone> = new Map<string, Tone>([
  ["0", "zero"],
  ["1", "one"],
  ["2", "two"],
  ["3", "three"],
  ["4", "four"],
  ["5", "five"],
  ["6", "six"],
  ["7", "seven"],
  ["8", "eight"],
  ["9", "nine"],
  ["*", "asterisk"],
  ["#", "pound"],
  ["A", "a"],
  ["B", "b"],
  ["C", "c"],
  ["D", "d"],
]);

export function toTones(digits: string): Tone[] {
  return Array.from(digits.toUpperCase(), (key) => {
    const tone = toneByKey.get(key);
    if (tone === undefined) throw new BadRequestError("validation_error", "a telephone has no such key");
    return tone;
  });
}
