/** Speech: synthesises a word and recognises it again. Speech that runs on this machine is not checked. */
import { composeRecogniser, composeSynthesiser } from "@voice/streaming-host/compose-speech";
import { UnreadableAudioError } from "@voice/provider-kit/speech-answer/audio-reader";
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { isNoiseAtFullVolume } from "@voice/provider-kit/audio/raw-samples";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { SpeechPart } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import { CheckFailure, type Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";
import { createLastWords } from "../last-words.ts";

const word = "Hello.";
const sampleRateHz = 16_000;
const frameSamples = sampleRateHz / 50;
/** Silence that makes the recogniser end its segment. */
const silenceMs = 1500;
/** How long the word takes, with the silence around it that voices leave. */
const shortestSeconds = 0.2;
const longestSeconds = 3;

interface SpokenWord {
  readonly samples: Int16Array;
  /** What the server has really sent, where the provider finds that out. */
  readonly found: string | undefined;
}

export function speechChecks({ parts: { recognition, synthesis }, settings, identity, clock }: DoctorContext): Check[] {
  if (recognition.kind === "local" && synthesis.kind === "local") return [];
  const { logger } = createLastWords();
  // One connection each, and no more: this process says one word.
  const oneEach = { ...settings, maxSttPoolSize: 1, maxTtsPoolSize: 1, retryMaxAttempts: 0 };
  const parts = { settings: oneEach, identity, clock, logger };
  let spoken: Promise<SpokenWord> | undefined;

  async function synthesise(signal: AbortSignal): Promise<SpokenWord> {
    const { synthesiser } = await composeSynthesiser(parts);
    const chunks: Int16Array[] = [];
    let found: string | undefined;
    try {
      await synthesiser.synthesise(
        { text: word, voice: { name: settings.ttsVoice }, language: settings.sttLanguage, sampleRateHz },
        {
          onAudio: (samples) => void chunks.push(samples),
          onWord: () => undefined,
          onFound: (format) => void (found = format),
        },
        signal,
      );
      return { samples: joinSamples(chunks), found };
    } catch (error) {
      if (!(error instanceof UnreadableAudioError)) throw error;
      throw new CheckFailure(
        error.message,
        'docs/models.md, "Manners of speech servers", says what is read, and what is known of servers',
      );
    } finally {
      await synthesiser.close();
    }
  }

  async function hear(signal: AbortSignal): Promise<string> {
    const { samples } = await (spoken ??= synthesise(signal)).catch(() => {
      throw new CheckFailure("not tried: there is no word to hear without synthesis", "mend speech synthesis first");
    });
    const { recogniser } = await composeRecogniser(parts, await loadVoiceActivity());
    try {
      return await recognise(recogniser, samples, settings, signal);
    } finally {
      await recogniser.close();
    }
  }

  const advice = adviceFor(synthesis, settings, "TTS");
  const speaks: Check = {
    name: "speech synthesis",
    advice,
    async run(signal) {
      const { samples, found } = await (spoken ??= synthesise(signal));
      if (samples.length === 0)
        throw new CheckFailure("it answered without audio", `is ${settings.ttsVoice} a voice of this region?`);
      const seconds = samples.length / sampleRateHz;
      const said = `said "${word}" in ${seconds.toFixed(1)} s of audio${found === undefined ? "" : ` (${found})`}`;
      if (isNoiseAtFullVolume(samples)) throw new CheckFailure(`${said}, which is noise`, advice);
      if (seconds < shortestSeconds || seconds > longestSeconds)
        throw new CheckFailure(
          `${said}, which is not as long as the word`,
          `OPENAI_TTS_RAW_RATE_HZ is ${settings.openaiTtsRawRateHz}; ${advice}`,
        );
      return said;
    },
  };
  const hears: Check = {
    name: "speech recognition",
    advice: adviceFor(recognition, settings, "STT"),
    async run(signal) {
      const text = await hear(signal);
      if (text === "")
        throw new CheckFailure("it heard no word in what the synthesis said", "compare STT_LANGUAGE with TTS_VOICE");
      return `heard "${text}"`;
    },
  };
  return [...(synthesis.kind === "local" ? [] : [speaks]), ...(recognition.kind === "local" ? [] : [hears])];
}

async function recognise(
  recogniser: Recogniser,
  samples: Int16Array,
  { sttLanguage: language, vadSilenceTimeoutMs: segmentationSilenceMs }: Settings,
  signal: AbortSignal,
): Promise<string> {
  const heard = Promise.withResolvers<string>();
  const hints = { examples: [word], phrases: [] };
  const stream = await recogniser.open(
    { sampleRateHz, language, candidateLanguages: [], segmentationSilenceMs, hints },
    {
      onPartial: () => undefined,
      onFinal: ({ text }) => heard.resolve(text),
      onUnknown: heard.reject,
      onError: heard.reject,
    },
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

function adviceFor(part: SpeechPart, { speechKey }: Settings, half: "STT" | "TTS"): string {
  if (part.kind === "own") return `what ${part.module} says; docs/providers.md tests it by itself`;
  if (part.kind === "openai")
    return `compare OPENAI_API_KEY (or OPENAI_${half}_KEY) with the server's, and OPENAI_${half}_MODEL with what it serves`;
  return speechKey === undefined
    ? "the identity needs the role Cognitive Services Speech User on the resource of CLOUD_SPEECH_RESOURCE_ID"
    : "compare CLOUD_SPEECH_KEY with the resource's, and CLOUD_SPEECH_REGION or CLOUD_SPEECH_ENDPOINT with its place";
}
