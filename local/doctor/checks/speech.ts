/** The speech service: it says a word, and hears the word that it said. */
import { createAzureSpeech } from "@voice/streaming-host/providers/azure/from-settings";
import { Ailment, type Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";
import { createLastWords } from "../last-words.ts";

const word = "Hello.";
const sampleRateHz = 16_000;
const frameSamples = sampleRateHz / 50;
/** What ends the recogniser's segment. */
const silenceMs = 1500;

export function speechChecks(context: DoctorContext): Check[] {
  const { speech } = context.parts;
  if (speech.kind === "local") return [];
  const { settings, identity, clock } = context;
  const words = createLastWords();
  // One connection each, and no more: this process says one word.
  const oneEach = { ...settings, maxSttPoolSize: 1, maxTtsPoolSize: 1, retryMaxAttempts: 0 };
  const parts = { tokens: identity.tokenFor, clock, logger: words.logger };
  const { recogniser, synthesiser } = createAzureSpeech(speech.location, oneEach, parts);
  let spoken: Promise<Int16Array> | undefined;

  async function synthesise(signal: AbortSignal): Promise<Int16Array> {
    const chunks: number[] = [];
    await synthesiser.synthesise(
      { text: word, voice: { name: settings.ttsVoice }, language: settings.sttLanguage, sampleRateHz },
      { onAudio: (samples) => void chunks.push(...samples), onWord: () => undefined },
      signal,
    );
    return Int16Array.from(chunks);
  }

  async function recognise(samples: Int16Array, signal: AbortSignal): Promise<string> {
    const heard = Promise.withResolvers<string>();
    const stream = await recogniser.open(
      {
        sampleRateHz,
        language: settings.sttLanguage,
        candidateLanguages: [],
        segmentationSilenceMs: settings.vadSilenceTimeoutMs,
        hints: { examples: [word], phrases: [] },
      },
      { onPartial: () => undefined, onFinal: ({ text }) => heard.resolve(text), onError: heard.reject },
      signal,
    );
    try {
      const audio = new Int16Array(samples.length + (sampleRateHz * silenceMs) / 1000);
      audio.set(samples);
      for (let at = 0; at < audio.length; at += frameSamples) stream.write(audio.subarray(at, at + frameSamples));
      return await heard.promise;
    } finally {
      stream.close();
    }
  }

  const advice =
    settings.speechKey === undefined
      ? "the identity needs the role Cognitive Services Speech User on the resource of CLOUD_SPEECH_RESOURCE_ID"
      : "compare CLOUD_SPEECH_KEY with the resource's, and CLOUD_SPEECH_REGION or CLOUD_SPEECH_ENDPOINT with its place";
  return [
    {
      name: "speech synthesis",
      advice,
      async run(signal) {
        const samples = await (spoken ??= synthesise(signal));
        if (samples.length === 0)
          throw new Ailment("it answered without audio", `is ${settings.ttsVoice} a voice of this region?`);
        return `said "${word}" in ${(samples.length / sampleRateHz).toFixed(1)} s of audio`;
      },
    },
    {
      name: "speech recognition",
      advice,
      async run(signal) {
        try {
          const samples = await (spoken ??= synthesise(signal)).catch(() => {
            throw new Ailment("not tried: there is no word to hear without synthesis", "mend speech synthesis first");
          });
          const text = await recognise(samples, signal);
          if (text === "")
            throw new Ailment("it heard no word in what the synthesis said", "compare STT_LANGUAGE with TTS_VOICE");
          return `heard "${text}"`;
        } finally {
          await Promise.all([recogniser.close(), synthesiser.close()]);
        }
      },
    },
  ];
}
