/**
 * Pronounces words that are not in the dictionary (names of companies, products and people) by Flite's letter-to-sound
 * rules.
 */
import type { WasiProgram } from "../synthesiser/wasi-program.ts";

/** Flite has the recogniser's phone set, in lower case, except for the schwa. */
const renamed: Readonly<Record<string, string>> = { ax: "AH" };

/**
 * The word in the recogniser's phones, or undefined if it cannot be pronounced. 2 ms, once Flite is loaded: `kal` is the fastest voice to
 * start.
 */
export function pronounce(flite: WasiProgram, word: string): string | undefined {
  const { exitCode, stdout } = flite.run(["flite", "-voice", "kal", "-ps", "-t", word, "-o", "none"]);
  if (exitCode !== 0) return undefined;
  const phones = stdout
    .trim()
    .split(/\s+/)
    .filter((phone) => phone !== "" && phone !== "pau")
    .map((phone) => renamed[phone] ?? phone.toUpperCase());
  return phones.length === 0 ? undefined : phones.join(" ");
}
