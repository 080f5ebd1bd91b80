/** A place on the line of time: `1:05`, and from an hour on `1:02:05`. */
import { durationInWords } from "../duration-in-words.ts";

export function clockOf(ms: number): string {
  return durationInWords(Math.max(0, Math.floor(ms / 1000)));
}
