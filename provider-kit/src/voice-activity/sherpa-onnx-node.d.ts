/** What voice activity uses of sherpa-onnx-node, which has no types of its own; after its `types.js` and `vad.js`. */
declare module "sherpa-onnx-node" {
  interface VadConfig {
    readonly sileroVad: {
      readonly model: string;
      readonly threshold: number;
      /** In seconds, as the next. */
      readonly minSpeechDuration: number;
      readonly minSilenceDuration: number;
      readonly windowSize: number;
    };
    readonly sampleRate: number;
    readonly numThreads: number;
    readonly debug: boolean;
  }

  class Vad {
    constructor(config: VadConfig, bufferSizeInSeconds: number);
    acceptWaveform(samples: Float32Array): void;
    isDetected(): boolean;
    reset(): void;
  }

  const sherpa: { readonly Vad: typeof Vad };
  export type { Vad, VadConfig };
  export default sherpa;
}
