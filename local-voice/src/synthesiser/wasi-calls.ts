/** The 13 WASI calls that Flite imports: arguments in; printed text and the one file that it writes out. */
import type { MemoryFile } from "./memory-file.ts";

/** The input and output of one run of the program. */
export interface ProgramRun {
  readonly args: readonly string[];
  readonly stdout: Buffer[];
  readonly file: MemoryFile;
}

const success = 0;
const badDescriptor = 8;
const notSeekable = 70;

const stdoutDescriptor = 1;
/** The root directory, the only thing preopened. */
const rootDescriptor = 3;
const fileDescriptor = 4;
const filetype = { character: 2, directory: 3, regular: 4 } as const;
const allRights = 0xffff_ffff_ffff_ffffn;

/** Thrown to end a run that does not return from its main function. */
export class ProgramExit extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("program exited");
    this.exitCode = exitCode;
  }
}

/** `run` and `memory` are called each time, because a program runs more than once, and its memory moves when it grows. */
export function wasiCalls(run: () => ProgramRun, memory: () => ArrayBuffer) {
  const view = (): DataView => new DataView(memory());
  return {
    args_sizes_get(countAt: number, bytesAt: number) {
      const args = encoded(run().args);
      view().setUint32(countAt, args.length, true);
      const bytes = args.reduce((total, arg) => total + arg.length, 0);
      view().setUint32(bytesAt, bytes, true);
      return success;
    },
    args_get(pointersAt: number, bytesAt: number) {
      let at = bytesAt;
      for (const [index, arg] of encoded(run().args).entries()) {
        view().setUint32(pointersAt + index * 4, at, true);
        new Uint8Array(memory()).set(arg, at);
        at += arg.length;
      }
      return success;
    },
    clock_time_get(_id: number, _precision: bigint, at: number) {
      view().setBigUint64(at, 0n, true); // so that the same text always gives the same bytes
      return success;
    },
    fd_prestat_get(descriptor: number, at: number) {
      if (descriptor !== rootDescriptor) return badDescriptor;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 1, true); // length of "/"
      return success;
    },
    fd_prestat_dir_name(_descriptor: number, at: number) {
      view().setUint8(at, 0x2f);
      return success;
    },
    fd_fdstat_get(descriptor: number, at: number) {
      const type = descriptor < rootDescriptor ? "character" : descriptor === rootDescriptor ? "directory" : "regular";
      view().setUint32(at, filetype[type], true);
      view().setUint32(at + 4, 0, true);
      view().setBigUint64(at + 8, allRights, true);
      view().setBigUint64(at + 16, allRights, true);
      return success;
    },
    fd_fdstat_set_flags: () => success,
    path_open(...args: readonly (number | bigint)[]) {
      view().setUint32(Number(args[8]), fileDescriptor, true); // the ninth parameter is where the file descriptor is written
      return success;
    },
    fd_write(descriptor: number, vectorsAt: number, vectorCount: number, writtenAt: number) {
      const { file, stdout } = run();
      let written = 0;
      for (let index = 0; index < vectorCount; index++) {
        const at = view().getUint32(vectorsAt + index * 8, true);
        const length = view().getUint32(vectorsAt + index * 8 + 4, true);
        const bytes = new Uint8Array(memory(), at, length);
        if (descriptor === fileDescriptor) file.write(bytes);
        else if (descriptor === stdoutDescriptor) stdout.push(Buffer.from(bytes));
        written += length;
      }
      view().setUint32(writtenAt, written, true);
      return success;
    },
    fd_seek(descriptor: number, offset: bigint, whence: number, positionAt: number) {
      if (descriptor !== fileDescriptor) return notSeekable;
      view().setBigUint64(positionAt, BigInt(run().file.seek(Number(offset), whence)), true);
      return success;
    },
    fd_read(_descriptor: number, _vectorsAt: number, _vectorCount: number, readAt: number) {
      view().setUint32(readAt, 0, true);
      return success;
    },
    fd_close: () => success,
    proc_exit(exitCode: number) {
      throw new ProgramExit(exitCode);
    },
  };
}

const encoded = (args: readonly string[]): readonly Buffer[] => args.map((arg) => Buffer.from(`${arg}\0`));
