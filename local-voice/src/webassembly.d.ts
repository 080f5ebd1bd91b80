/** The part of the global that the speech engines use; TypeScript declares it for browsers only. */
declare global {
  namespace WebAssembly {
    class Module {
      private readonly brand: "module";
    }
    class Memory {
      readonly buffer: ArrayBuffer;
    }
    class Instance {
      constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
      readonly exports: Readonly<Record<string, unknown>>;
    }
    class RuntimeError extends Error {}
    function compile(bytes: Uint8Array): Promise<Module>;
  }
}

export type WasmModule = WebAssembly.Module;
