/** The part of the WebAssembly global that the speech engines use; TypeScript declares it only for browsers. */
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
