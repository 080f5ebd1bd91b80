/** What is used of sherpa-onnx-node, which has no types of its own; after its `types.js`, `non-streaming-asr.js` and `non-streaming-tts.js`. */
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

  interface VoiceFiles {
    readonly model: string;
    readonly tokens: string;
    readonly dataDir: string;
    readonly lexicon: string;
  }

  interface OfflineTtsConfig {
    readonly model: {
      readonly vits?: VoiceFiles;
      readonly kokoro?: VoiceFiles & { readonly voices: string; readonly lang: string };
      readonly numThreads: number;
      readonly provider: "cpu";
      readonly debug: boolean;
    };
    readonly maxNumSentences: number;
  }

  class OfflineTts {
    constructor(config: OfflineTtsConfig);
    generate(request: { readonly text: string; readonly sid: number; readonly speed: number }): Waveform;
  }

  const sherpa: { readonly OfflineRecognizer: typeof OfflineRecognizer; readonly OfflineTts: typeof OfflineTts };
  export type { OfflineRecognizer, OfflineRecognizerConfig, OfflineStream, OfflineTts, OfflineTtsConfig, Waveform };
  export default sherpa;
}
