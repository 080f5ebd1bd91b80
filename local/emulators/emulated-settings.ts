/** The settings that point the product at emulated cloud services. */
import type { IdentityEmulator } from "./identity/emulator.ts";
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

/** Who is known to the emulated identity: this API, the application that calls it, the console, and two people. */
export const emulatedIdentity = {
  audience: "22222222-2222-4222-8222-222222222222",
  clientId: "33333333-3333-4333-8333-333333333333",
  consoleId: "44444444-4444-4444-8444-444444444444",
  people: [
    { name: "Alex, a caller", subject: "alex", roles: [] },
    { name: "Olga, an operator", subject: "olga", roles: ["Voice.Operator"] },
  ],
} as const;

/** With `ENABLE_AUTH_VALIDATION=true`, these let in whom the emulated identity knows, and nobody else. */
export function signInSettings({ entra, tenantId }: IdentityEmulator): Readonly<Record<string, string>> {
  const { audience, clientId, consoleId } = emulatedIdentity;
  return {
    CLOUD_TENANT_ID: tenantId,
    AUTH_JWT_ISSUER: entra.issuer,
    AUTH_JWKS_URL: entra.jwksUrl,
    BACKEND_AUTH_CLIENT_ID: audience,
    ALLOWED_CLIENT_IDS: `${clientId},${consoleId}`,
    SIGN_IN_CLIENT_ID: consoleId,
  };
}

/** The request that the identity answers with a token of the application which calls this API. */
export function tokenRequest(
  { entra }: IdentityEmulator,
  key: string,
): { readonly url: string; readonly form: string } {
  const { audience, clientId } = emulatedIdentity;
  const form = `grant_type=client_credentials&client_id=${clientId}&client_secret=${key}&scope=${audience}/.default`;
  return { url: entra.tokenUrl, form };
}
