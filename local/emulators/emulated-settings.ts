/** The settings that point the product at emulated cloud services. */
import type { OpenAiEmulator } from "./openai/emulator.ts";
import type { SpeechEmulator } from "./speech/emulator.ts";
import type { VoiceLiveEmulator } from "./voice-live/emulator.ts";

export function emulatedSettings(
  {
    openai,
    speech,
    voiceLive,
  }: {
    readonly openai: OpenAiEmulator;
    readonly speech: SpeechEmulator;
    readonly voiceLive: VoiceLiveEmulator;
  },
  key: string,
): Readonly<Record<string, string>> {
  return {
    CLOUD_OPENAI_ENDPOINT: openai.baseUrl,
    CLOUD_OPENAI_DEPLOYMENT: "emulated",
    CLOUD_OPENAI_KEY: key,
    CLOUD_SPEECH_ENDPOINT: speech.endpoint.replace(/^ws/, "http"),
    CLOUD_SPEECH_KEY: key,
    CLOUD_VOICELIVE_ENDPOINT: voiceLive.endpoint,
    CLOUD_VOICELIVE_MODEL: "emulated",
    CLOUD_VOICELIVE_KEY: key,
  };
}

/** The emulator is not at OpenAI's address, so, as for any compatible server, the models it offers have to be named. */
export function openAiSettings({ baseUrl }: OpenAiEmulator, key: string): Readonly<Record<string, string>> {
  return {
    OPENAI_BASE_URL: new URL("/v1", baseUrl).href,
    OPENAI_API_KEY: key,
    OPENAI_CHAT_MODEL: "gpt-6-luna",
    OPENAI_STT_MODEL: "gpt-transcribe",
    OPENAI_TTS_MODEL: "gpt-4o-mini-tts",
    OPENAI_REALTIME_MODEL: "gpt-realtime-2.1",
  };
}
