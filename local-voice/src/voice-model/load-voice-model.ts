/** A user's own voice model, run by sherpa-onnx. Blocks the thread while it speaks: a tenth of the time for Piper, more for Kokoro. */
import { relativeChange } from "@voice/provider-kit/voices/sounds-like";
import type { SpeakPiece } from "../synthesiser/speak-piece.ts";
import { pausePhone } from "../synthesiser/word-timings.ts";
import { chooseSpeaker } from "./choose-speaker.ts";
import type { VoiceModel } from "./voice-model-folder.ts";

/** The language of Kokoro's text where it has no lexicon. */
const kokoroLanguage = "en-us";
/** -50 dB: no sound of speech is softer. */
const softest = 10 ** (-50 / 20);
/** The silence before the speech: as long as between two clauses of the local voice. */
const leadMs = 20;
const tailMs = 120;
const slowest = 0.5;
const fastest = 2;

/** Throws where the runtime has no build for this machine. */
export async function loadVoiceModel(model: VoiceModel): Promise<SpeakPiece> {
  const { default: sherpa } = await import("sherpa-onnx-node");
  const { kind, tokens, dataDir = "", lexicon = "", voices = "" } = model;
  const files = { model: model.model, tokens, dataDir, lexicon };
  const engine = new sherpa.OfflineTts({
    model: {
      ...(kind === "kokoro"
        ? { kokoro: { ...files, voices, lang: lexicon === "" ? kokoroLanguage : "" } }
        : { vits: files }),
      numThreads: 1,
      provider: "cpu",
      debug: false,
    },
    maxNumSentences: 1,
  });
  return (text, voice) => {
    const { samples, sampleRate } = engine.generate({
      text,
      sid: chooseSpeaker(model.speakers, voice.name),
      speed: Math.min(fastest, Math.max(slowest, relativeChange(voice.rate))),
    });
    return { ...spokenPart(samples, sampleRate), sampleRateHz: sampleRate };
  };
}

/** Without the silence around the speech. Where each word is within it, the model does not say. */
function spokenPart(samples: Float32Array, rateHz: number): Pick<ReturnType<SpeakPiece>, "samples" | "phones"> {
  const isHeard = (sample: number): boolean => Math.abs(sample) > softest;
  const first = Math.max(0, samples.findIndex(isHeard));
  const last = samples.findLastIndex(isHeard) + 1;
  const inSamples = (ms: number): number => Math.round((ms * rateHz) / 1000);
  const start = Math.max(0, first - inSamples(leadMs));
  const speech = samples.subarray(start, Math.min(samples.length, last + inSamples(tailMs)));
  const msAt = (sample: number): number => ((sample - start) / rateHz) * 1000;
  return {
    samples: Int16Array.from(speech, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767)),
    phones: [
      { name: pausePhone, endMs: msAt(first) },
      { name: "speech", endMs: msAt(last) },
    ],
  };
}
