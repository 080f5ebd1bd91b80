/**
 * Pronounces words that are not in the dictionary (names of companies, products and people) by Flite's letter-to-sound
 * rules.
 */
import { runProgram } from "../synthesiser/wasi-shim.ts";
import type { WasmModule } from "../webassembly.d.ts";

/** Flite has the recogniser's phone set, in lower case, except for the schwa. */
const renamed: Readonly<Record<string, string>> = { ax: "AH" };

/**
 * The word in the recogniser's phones, or undefined if it cannot be pronounced. 20 ms: `kal` is the fastest voice to
 * start.
 */
export function pronounce(flite: WasmModule, word: string): string | undefined {
  const { exitCode, stdout } = runProgram(flite, ["flite", "-voice", "kal", "-ps", "-t", word, "-o", "none"]);
  if (exitCode !== 0) return undefined;
  const phones = stdout
    .trim()
    .split(/\s+/)
    .filter((phone) => phone !== "" && phone !== "pau")
    .map((phone) => renamed[phone] ?? phone.toUpperCase());
  return phones.length === 0 ? undefined : phones.join(" ");
}
