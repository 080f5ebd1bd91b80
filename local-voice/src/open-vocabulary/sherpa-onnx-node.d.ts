/** What is used of sherpa-onnx-node, which has no types of its own; after its `types.js` and `non-streaming-tts.js`. */
declare module "sherpa-onnx-node" {
  interface Waveform {
    /** From -1 to 1. */
    readonly samples: Float32Array;
    readonly sampleRate: number;
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

  const sherpa: { readonly OfflineTts: typeof OfflineTts };
  export type { OfflineTts, OfflineTtsConfig, Waveform };
  export default sherpa;
}
