/** The package ships without types. https://github.com/dpirch/libfvad */
declare module "@echogarden/fvad-wasm" {
  export interface FvadModule {
    /** A view of the module's memory. It is replaced when the memory grows, so it must not be retained. */
    readonly HEAP16: Int16Array;
    _malloc(bytes: number): number;
    _free(address: number): void;
    /** Returns 0 when out of memory. */
    _fvad_new(): number;
    _fvad_free(handle: number): void;
    _fvad_set_mode(handle: number, mode: number): number;
    _fvad_set_sample_rate(handle: number, sampleRateHz: number): number;
    /** Returns 1 for speech, 0 for none, -1 if the length is not 10, 20 or 30 ms. */
    _fvad_process(handle: number, samplesAt: number, sampleCount: number): number;
  }
  export default function createFvad(): Promise<FvadModule>;
}
