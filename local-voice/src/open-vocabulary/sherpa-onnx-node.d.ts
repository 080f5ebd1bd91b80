/** What is used of sherpa-onnx-node, which has no types of its own; after its `types.js` and `non-streaming-asr.js`. */
declare module "sherpa-onnx-node" {
  interface Waveform {
    /** From -1 to 1. */
    readonly samples: Float32Array;
    readonly sampleRate: number;
  }

  interface OfflineRecognizerConfig {
    readonly featConfig: { readonly sampleRate: number; readonly featureDim: number };
    readonly modelConfig: {
      readonly moonshine: { readonly encoder: string; readonly mergedDecoder: string };
      readonly tokens: string;
      readonly numThreads: number;
      readonly provider: "cpu";
      readonly debug: boolean;
    };
  }

  class OfflineStream {
    acceptWaveform(waveform: Waveform): void;
  }

  class OfflineRecognizer {
    constructor(config: OfflineRecognizerConfig);
    createStream(): OfflineStream;
    decode(stream: OfflineStream): void;
    getResult(stream: OfflineStream): { readonly text: string };
  }

  const sherpa: { readonly OfflineRecognizer: typeof OfflineRecognizer };
  export type { OfflineRecognizer, OfflineRecognizerConfig, OfflineStream, Waveform };
  export default sherpa;
}
