/**
 * Runs a command-line WASI program in memory, repeatedly. `node:wasi` would print a warning about itself and need real temporary files.
 * Loading Flite means copying 17 MB of voices into new memory, which takes twice as long as speaking a sentence. It is loaded once, and
 * what a run has changed is restored before the next.
 */
import type { CompiledProgram } from "./compiled-program.ts";
import { createMemoryFile } from "./memory-file.ts";
import { ProgramExit, wasiCalls } from "./wasi-calls.ts";
import type { ProgramRun } from "./wasi-calls.ts";

export interface ProgramResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly file: Uint8Array;
}

interface LoadedProgram {
  readonly memory: WebAssembly.Memory;
  /** The variables as they were before the first run; all memory above them was zero. */
  readonly variables: Uint8Array;
  start(): unknown;
}

export class WasiProgram {
  readonly #compiled: CompiledProgram;
  #loaded: LoadedProgram | undefined;
  #run: ProgramRun | undefined;

  constructor(compiled: CompiledProgram) {
    this.#compiled = compiled;
  }

  run(args: readonly string[]): ProgramResult {
    const run: ProgramRun = { args, stdout: [], file: createMemoryFile() };
    this.#run = run;
    const exitCode = this.#start();
    return { exitCode, stdout: Buffer.concat(run.stdout).toString("latin1"), file: run.file.contents() };
  }

  #start(): number {
    const loaded = this.#loaded ?? this.#load();
    const { variablesAt } = this.#compiled;
    new Uint8Array(loaded.memory.buffer)
      .fill(0, variablesAt + loaded.variables.length)
      .set(loaded.variables, variablesAt);
    // Retained only if it returns: any other end of a run leaves a changed stack pointer, which cannot be restored from outside.
    this.#loaded = undefined;
    try {
      loaded.start();
    } catch (error) {
      if (error instanceof ProgramExit) return error.exitCode;
      throw error;
    }
    this.#loaded = loaded;
    return 0;
  }

  #load(): LoadedProgram {
    const { module, variablesAt } = this.#compiled;
    const currentRun = (): ProgramRun => {
      if (this.#run === undefined) throw new TypeError("the program calls before it was started");
      return this.#run;
    };
    const calls = wasiCalls(currentRun, () => memory.buffer);
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: calls });
    const memory = memoryOf(instance);
    const start = instance.exports._start;
    if (typeof start !== "function") throw new TypeError("the program has no entry point");
    return { memory, variables: new Uint8Array(memory.buffer.slice(variablesAt)), start: () => start() };
  }
}

function memoryOf({ exports: { memory } }: WebAssembly.Instance): WebAssembly.Memory {
  if (!(memory instanceof WebAssembly.Memory)) throw new TypeError("the program exports no memory");
  return memory;
}
