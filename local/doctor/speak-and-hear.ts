/** Asks the speech services of the settings once: to say some words, and to recognise them. */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { composeVoiceActivity } from "@voice/streaming-host/compose/voice-activity";
import type { Voice } from "@voice/provider-kit/ports/synthesiser";
import { unlessAborted } from "@voice/shared/platform/unless-aborted";
import { composeRecogniser, composeSynthesiser } from "@voice/streaming-host/compose/speech";
import type { ProviderParts } from "@voice/streaming-host/compose/provider-parts";

export const sampleRateHz = 16_000;
const frameSamples = sampleRateHz / 50;
/** Silence that makes the recogniser end its segment. */
const silenceMs = 1500;

export interface SpokenWords {
  readonly samples: Int16Array;
  /** What the server has really sent, where the provider finds that out. */
  readonly found: string | undefined;
}

export async function speak(
  parts: ProviderParts,
  { text, voice = { name: parts.settings.ttsVoice } }: { readonly text: string; readonly voice?: Voice },
  signal: AbortSignal,
): Promise<SpokenWords> {
  const { sttLanguage: language } = parts.settings;
  const { synthesiser } = await composeSynthesiser(parts);
  const chunks: Int16Array[] = [];
  let found: string | undefined;
  try {
    await synthesiser.synthesise(
      { text, voice, language, sampleRateHz },
      {
        onAudio: (samples) => void chunks.push(samples),
        onWord: () => undefined,
        onFound: (format) => void (found = format),
      },
      signal,
    );
    return { samples: joinSamples(chunks), found };
  } finally {
    await synthesiser.close();
  }
}

/** `text`: the words in the audio, as a hint. Resolves with what was heard first. */
export async function hear(
  parts: ProviderParts,
  { samples, text }: { readonly samples: Int16Array; readonly text: string },
  signal: AbortSignal,
): Promise<string> {
  const { sttLanguage: language, vadSilenceTimeoutMs: segmentationSilenceMs } = parts.settings;
  const { recogniser } = await composeRecogniser(parts, await composeVoiceActivity(parts));
  const heard = Promise.withResolvers<string>();
  // Nobody waits for it while the recogniser is being opened.
  heard.promise.catch(() => undefined);
  try {
    const hints = { examples: [text], phrases: [] };
    const stream = await recogniser.open(
      { sampleRateHz, language, candidateLanguages: [], segmentationSilenceMs, hints },
      {
        onPartial: () => undefined,
        onFinal: (final) => heard.resolve(final.text),
        onUnknown: heard.reject,
        onError: heard.reject,
      },
      signal,
    );
    try {
      const audio = joinSamples([samples, new Int16Array((sampleRateHz * silenceMs) / 1000)]);
      for (let at = 0; at < audio.length; at += frameSamples) stream.write(audio.subarray(at, at + frameSamples));
      return await unlessAborted(heard.promise, signal);
    } finally {
      stream.close();
    }
  } finally {
    await recogniser.close();
  }
}
