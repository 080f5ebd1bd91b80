/**
 * Runs a command-line WASI program in memory: arguments in, its printed text and the one file it writes out. The 13
 * calls that Flite imports and no more; `node:wasi` would warn about itself and need real temporary files.
 */
import type { WasmModule } from "../webassembly.d.ts";

export interface ProgramResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly file: Uint8Array;
}

const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const NOT_SEEKABLE = 70;

const STDOUT = 1;
/** The root directory, the only thing preopened. */
const ROOT = 3;
const FILE = 4;
const FILETYPE = { character: 2, directory: 3, regular: 4 } as const;
const ALL_RIGHTS = 0xffff_ffff_ffff_ffffn;

class ProgramExit extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("program exited");
    this.exitCode = exitCode;
  }
}

export function runProgram(module: WasmModule, args: readonly string[]): ProgramResult {
  const stdout: Buffer[] = [];
  const file = createMemoryFile();
  const memory = (): ArrayBuffer => memoryOf(instance).buffer;
  const view = (): DataView => new DataView(memory());

  const instance = new WebAssembly.Instance(module, {
    wasi_snapshot_preview1: {
      ...argumentCalls(args, memory),
      clock_time_get(_id: number, _precision: bigint, at: number) {
        view().setBigUint64(at, 0n, true); // the same text gives the same bytes, always
        return SUCCESS;
      },
      fd_prestat_get(descriptor: number, at: number) {
        if (descriptor !== ROOT) return BAD_DESCRIPTOR;
        view().setUint32(at, 0, true);
        view().setUint32(at + 4, 1, true); // length of "/"
        return SUCCESS;
      },
      fd_prestat_dir_name(_descriptor: number, at: number) {
        view().setUint8(at, 0x2f);
        return SUCCESS;
      },
      fd_fdstat_get(descriptor: number, at: number) {
        const type = descriptor < ROOT ? "character" : descriptor === ROOT ? "directory" : "regular";
        view().setUint32(at, FILETYPE[type], true);
        view().setUint32(at + 4, 0, true);
        view().setBigUint64(at + 8, ALL_RIGHTS, true);
        view().setBigUint64(at + 16, ALL_RIGHTS, true);
        return SUCCESS;
      },
      fd_fdstat_set_flags: () => SUCCESS,
      path_open(...args: readonly (number | bigint)[]) {
        view().setUint32(Number(args[8]), FILE, true); // the ninth parameter is where the file descriptor is written
        return SUCCESS;
      },
      fd_write(descriptor: number, vectorsAt: number, vectorCount: number, writtenAt: number) {
        let written = 0;
        for (let index = 0; index < vectorCount; index++) {
          const at = view().getUint32(vectorsAt + index * 8, true);
          const length = view().getUint32(vectorsAt + index * 8 + 4, true);
          const bytes = new Uint8Array(memory(), at, length);
          if (descriptor === FILE) file.write(bytes);
          else if (descriptor === STDOUT) stdout.push(Buffer.from(bytes));
          written += length;
        }
        view().setUint32(writtenAt, written, true);
        return SUCCESS;
      },
      fd_seek(descriptor: number, offset: bigint, whence: number, positionAt: number) {
        if (descriptor !== FILE) return NOT_SEEKABLE;
        view().setBigUint64(positionAt, BigInt(file.seek(Number(offset), whence)), true);
        return SUCCESS;
      },
      fd_read(_descriptor: number, _vectorsAt: number, _vectorCount: number, readAt: number) {
        view().setUint32(readAt, 0, true);
        return SUCCESS;
      },
      fd_close: () => SUCCESS,
      proc_exit(exitCode: number) {
        throw new ProgramExit(exitCode);
      },
    },
  });

  return { exitCode: runToExit(instance), stdout: Buffer.concat(stdout).toString("latin1"), file: file.contents() };
}

/** Passes the arguments to the program. `memory` is called each time, because the memory moves when it grows. */
function argumentCalls(args: readonly string[], memory: () => ArrayBuffer) {
  const encodedArgs = args.map((arg) => Buffer.from(`${arg}\0`));
  const view = (): DataView => new DataView(memory());
  return {
    args_sizes_get(countAt: number, bytesAt: number) {
      view().setUint32(countAt, encodedArgs.length, true);
      view().setUint32(
        bytesAt,
        encodedArgs.reduce((total, arg) => total + arg.length, 0),
        true,
      );
      return SUCCESS;
    },
    args_get(pointersAt: number, bytesAt: number) {
      let at = bytesAt;
      for (const [index, arg] of encodedArgs.entries()) {
        view().setUint32(pointersAt + index * 4, at, true);
        new Uint8Array(memory()).set(arg, at);
        at += arg.length;
      }
      return SUCCESS;
    },
  };
}

function runToExit(instance: WebAssembly.Instance): number {
  const start = instance.exports._start;
  if (typeof start !== "function") throw new TypeError("the program has no entry point");
  try {
    start();
    return 0;
  } catch (error) {
    if (error instanceof ProgramExit) return error.exitCode;
    throw error;
  }
}

function memoryOf(instance: WebAssembly.Instance): WebAssembly.Memory {
  const { memory } = instance.exports;
  if (!(memory instanceof WebAssembly.Memory)) throw new TypeError("the program exports no memory");
  return memory;
}

interface MemoryFile {
  write(bytes: Uint8Array): void;
  /** `whence`: 0 from the start, 1 from here, 2 from the end. Returns the new position. */
  seek(offset: number, whence: number): number;
  contents(): Uint8Array;
}

function createMemoryFile(): MemoryFile {
  // 64 KB is two seconds of 16 kHz speech, a short clause.
  let bytes = new Uint8Array(65_536);
  let size = 0;
  let position = 0;
  return {
    write(added) {
      const end = position + added.length;
      if (end > bytes.length) {
        const grown = new Uint8Array(Math.max(end, bytes.length * 2));
        grown.set(bytes.subarray(0, size));
        bytes = grown;
      }
      bytes.set(added, position);
      position = end;
      size = Math.max(size, end);
    },
    seek(offset, whence) {
      position = Math.max(0, offset + (whence === 0 ? 0 : whence === 1 ? position : size));
      return position;
    },
    contents: () => bytes.subarray(0, size),
  };
}
