/** The package ships without types. https://github.com/xiph/rnnoise/blob/v0.1/include/rnnoise.h */
declare module "@echogarden/rnnoise-wasm" {
  export interface RnnoiseModule {
    /** A view of the module's memory. It is replaced when the memory grows, so it must not be retained. */
    readonly HEAPF32: Float32Array;
    _malloc(bytes: number): number;
    _free(address: number): void;
    _rnnoise_get_frame_size(): number;
    /** `model`: 0 for the one that it has. Returns 0 when out of memory. */
    _rnnoise_create(model: number): number;
    _rnnoise_destroy(state: number): void;
    /** In floating point at the scale of 16 bits, at 48 kHz. Returns the probability of speech. */
    _rnnoise_process_frame(state: number, outputAt: number, inputAt: number): number;
  }
  export default function createRnnoise(): Promise<RnnoiseModule>;
}
