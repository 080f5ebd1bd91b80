/**
 * For random texts: every character there is, and halves of pairs. The library's own unit `binary` has no halves, and lists a million
 * characters before it gives the first one, which takes a second of a processor.
 */
import { integer } from "fast-check";

export const anyCharacter = integer({ min: 0, max: 0x10_ffff }).map((code) => String.fromCodePoint(code), codeOf);

/** With it, the library mixes strings into the texts that have caused trouble elsewhere, such as `__proto__`. */
function codeOf(text: unknown): number {
  const [character, ...others] = typeof text === "string" ? text : "";
  const code = others.length === 0 ? character?.codePointAt(0) : undefined;
  if (code === undefined) throw new Error("not one character");
  return code;
}
