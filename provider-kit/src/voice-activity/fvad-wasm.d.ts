/** The package ships without types. https://github.com/dpirch/libfvad */
declare module "@echogarden/fvad-wasm" {
  export interface FvadModule {
    /** A view of the module's memory. It is replaced when the memory grows, so it is never kept. */
    readonly HEAP16: Int16Array;
    _malloc(bytes: number): number;
    _free(address: number): void;
    /** 0 when out of memory. */
    _fvad_new(): number;
    _fvad_free(handle: number): void;
    _fvad_set_mode(handle: number, mode: number): number;
    _fvad_set_sample_rate(handle: number, sampleRateHz: number): number;
    /** 1 speech, 0 none, -1 when the length is not 10, 20 or 30 ms. */
    _fvad_process(handle: number, samplesAt: number, sampleCount: number): number;
  }
  export default function createFvad(): Promise<FvadModule>;
}
