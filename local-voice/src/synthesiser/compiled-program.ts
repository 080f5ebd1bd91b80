/**
 * A WebAssembly program, compiled once and shared by the threads that run it, and the address in its memory above which it changes
 * anything.
 */
import type { WasmModule } from "../webassembly.d.ts";

export interface CompiledProgram {
  readonly module: WasmModule;
  /** Address of the first variable. Everything below is constant and the same in every run. */
  readonly variablesAt: number;
}

export async function compileProgram(bytes: Uint8Array): Promise<CompiledProgram> {
  return { module: await WebAssembly.compile(bytes), variablesAt: addressOfVariables(bytes) };
}

/** https://webassembly.github.io/spec/core/binary/modules.html */
const dataSection = 11;
const headerBytes = 8;
/** A segment that is copied to its address when the program is loaded: no flags, then `i32.const` with the address, then `end`. */
const activeSegment = 0;
const i32Const = 0x41;
const end = 0x0b;

/** Clang's linker writes the constants as one segment, and variables with an initial value other than zero as the last one, above it. */
function addressOfVariables(bytes: Uint8Array): number {
  let at = headerBytes;
  const readByte = (): number | undefined => bytes[at++];
  /** LEB128: seven bits a byte, the lowest first. No address or size here has its highest bit set, which could be taken for a sign. */
  const readNumber = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = readByte() ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const section = readByte();
    const size = readNumber();
    if (section !== dataSection) {
      at += size;
      continue;
    }
    let address: number | undefined;
    for (let left = readNumber(); left > 0; left--) {
      if (readByte() !== activeSegment || readByte() !== i32Const) break;
      address = readNumber();
      if (readByte() !== end) break;
      const length = readNumber();
      at += length;
      if (left === 1) return address;
    }
    break;
  }
  throw new TypeError("the program's data is not laid out as Clang's linker does it");
}
