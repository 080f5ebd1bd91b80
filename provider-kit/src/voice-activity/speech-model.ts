/**
 * Silero's model of speech (version 6, MIT), run by sherpa-onnx: it is not fooled by music, by people in the background and by noises as
 * WebRTC's detector is, and takes twenty times as long. Asked about a stretch of audio, it remembers nothing of the one before, so one
 * model serves all sessions of a thread.
 */
import { fileURLToPath } from "node:url";

export const speechModelRateHz = 16_000;
/** What the model takes at a time: 32 ms. */
const windowSamples = 512;
/**
 * 256 ms. Measured on people and synthesisers: in 192 ms the model recognises nine of ten places within speech, in 256 ms 98 of 100. After
 * 640 ms, and more so where it is never reset, it takes voices in the background for the caller's.
 */
export const stretchSamples = 8 * windowSamples;

/** Returns whether somebody speaks at the end of the stretch. `samples`: `stretchSamples` of them, from -1 to 1. */
export type JudgeSpeech = (samples: Float32Array) => boolean;

/** A stricter one loses syllables in noise, a laxer one hears a saxophone speak. */
const threshold = 0.6;
/** Two windows in a row are speech; and it has not ended before 100 ms without. */
const leastSpeechS = 0.03;
const leastSilenceS = 0.1;

let loading: Promise<JudgeSpeech> | undefined;

/**
 * Rejects where the runtime has no build for this machine, or the weights are missing. Loaded once for a thread, because it takes a tenth
 * of a second in which the event loop stands still.
 */
export function loadSpeechModel(): Promise<JudgeSpeech> {
  return (loading ??= createSpeechModel());
}

async function createSpeechModel(): Promise<JudgeSpeech> {
  const { default: sherpa } = await import("sherpa-onnx-node");
  const model = fileURLToPath(new URL("../../models/silero-vad/silero_vad.onnx", import.meta.url));
  const vad = new sherpa.Vad(
    {
      sileroVad: {
        model,
        threshold,
        minSpeechDuration: leastSpeechS,
        minSilenceDuration: leastSilenceS,
        windowSize: windowSamples,
      },
      sampleRate: speechModelRateHz,
      numThreads: 1,
      debug: false,
    },
    1,
  );
  return (samples) => {
    vad.reset();
    vad.acceptWaveform(samples);
    return vad.isDetected();
  };
}
