/** The voice in which the communication service speaks for us: the one for agents that name none. */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { Settings } from "@voice/shared/config/settings";
import { voiceInLanguage } from "@voice/shared/languages/voice-in-language";
import { announcementRateHz } from "./announcer.ts";
import type { SpeakWords } from "./announcer.ts";

/** The caller hears silence or music while the words are being made. */
const timeoutMs = 10_000;

export function announcementVoice(synthesiser: Synthesiser, { ttsVoice, ttsStyle, ttsRate }: Settings): SpeakWords {
  return async (text, language) => {
    const voice = voiceInLanguage({ name: ttsVoice, style: ttsStyle, rate: ttsRate }, language, ttsVoice);
    const chunks: Int16Array[] = [];
    await synthesiser.synthesise(
      { text, voice, language, sampleRateHz: announcementRateHz },
      { onAudio: (samples) => chunks.push(samples), onWord: () => undefined },
      AbortSignal.timeout(timeoutMs),
    );
    return joinSamples(chunks);
  };
}
