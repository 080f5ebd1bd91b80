/** How words that no dictionary has are said: names of companies, products and people, by Flite's letter-to-sound rules. */
import { runProgram } from "../synthesiser/wasi-shim.ts";
import type { WasmModule } from "../webassembly.d.ts";

/** Flite's phone set is the recogniser's, in lower case, but for the schwa. */
const renamed: Readonly<Record<string, string>> = { ax: "AH" };

/** In the recogniser's phones, or undefined for what cannot be said. 20 ms: `kal` is the fastest voice to start. */
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
