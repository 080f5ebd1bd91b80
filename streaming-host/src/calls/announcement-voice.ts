/** The voice of what the communication service says for us: that of agents which name none. */
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { Settings } from "@voice/shared/config/settings";
import { voiceInLanguage } from "@voice/shared/languages/voice-in-language";
import { announcementRateHz } from "./announcer.ts";
import type { SpeakWords } from "./announcer.ts";

/** Whoever waits for the words hears silence, or music. */
const timeoutMs = 10_000;

export function announcementVoice(
  synthesiser: Synthesiser,
  { ttsVoice, ttsStyle, ttsRate, sttLanguage: language }: Settings,
): SpeakWords {
  const voice = voiceInLanguage({ name: ttsVoice, style: ttsStyle, rate: ttsRate }, language, ttsVoice);
  return async (text) => {
    const chunks: Int16Array[] = [];
    await synthesiser.synthesise(
      { text, voice, language, sampleRateHz: announcementRateHz },
      { onAudio: (samples) => chunks.push(samples), onWord: () => undefined },
      AbortSignal.timeout(timeoutMs),
    );
    return joined(chunks);
  };
}

function joined(chunks: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(chunks.reduce((length, { length: more }) => length + more, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
