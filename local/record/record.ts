/** Holds one conversation with the service that the settings name, through a proxy that writes it down. */
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { identityOf } from "@voice/shared/config/load-configuration";
import { partsOf } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { toBaseUrl } from "@voice/streaming-host/providers/openai/endpoint";
import { speakText } from "../person/line-audio.ts";
import { conversations } from "./conversations.ts";
import { startRecordingProxy } from "./recording-proxy.ts";
import type { Recording, RecordingTarget } from "./recording.ts";

export interface RecordOptions {
  readonly target: RecordingTarget;
  readonly settings: Settings;
  /** Everything that must not be in the recording: the values of all secret settings. */
  readonly secrets: readonly string[];
  readonly clock: Clock;
  readonly identity?: EntraCredential;
  /** The caller's voice; that of this machine if absent. */
  readonly voice?: Synthesiser;
  readonly signal: AbortSignal;
}

/** Rejects where the settings name no such service, or it refuses the conversation. */
export async function recordConversation(options: RecordOptions): Promise<Recording> {
  const { target, settings, secrets, clock, signal } = options;
  const address = addressOf(target, settings);
  const proxy = await startRecordingProxy(new URL(address), secrets);
  const voice = options.voice ?? (await createLocalSynthesiser({ clock }));
  try {
    await conversations[target]({
      settings: through(target, settings, `${proxy.origin}${new URL(address).pathname.replace(/\/$/, "")}`),
      tokens: (options.identity ?? identityOf(settings, () => import("@voice/shared/config/cloud"))).tokenFor,
      clock,
      speak: (text, sampleRateHz) => speakText(voice, { text, voice: "awb", sampleRateHz }),
      signal,
    });
    const origin = `${new URL(address).host}${modelOf(settings, target)}`;
    const recordedOn = new Date(clock.wallNow()).toISOString().slice(0, 10);
    return { target, source: "captured", origin, recordedOn, messages: [...proxy.messages] };
  } finally {
    if (options.voice === undefined) await voice.close();
    await proxy.close();
  }
}

function addressOf(target: RecordingTarget, settings: Settings): string {
  const { languageModel, realtimeModel, recognition } = partsOf(settings);
  if (target === "chat" && languageModel.kind === "openai") return toBaseUrl(languageModel.endpoint);
  if (target === "voice-live" && realtimeModel.kind === "voice-live") return realtimeModel.endpoint;
  if (target === "openai-realtime" && realtimeModel.kind === "openai") return realtimeModel.baseUrl;
  if (target === "speech" && recognition.kind === "openai") return recognition.baseUrl;
  if (target === "speech" && recognition.kind === "azure" && recognition.location.kind === "host")
    return recognition.location.url;
  throw new Error(
    target === "speech"
      ? "name the speech service by its own address (CLOUD_SPEECH_ENDPOINT) or a speech server (OPENAI_STT_BASE_URL)"
      : `the settings name no service for ${target}`,
  );
}

/** The same settings with the proxy in the service's place. */
function through(target: RecordingTarget, settings: Settings, address: string): Settings {
  if (target === "voice-live") return { ...settings, voiceLiveEndpoint: address };
  if (target === "speech")
    return { ...settings, speechEndpoint: settings.speechEndpoint && address, ...servers(settings, address) };
  return { ...settings, openaiEndpoint: settings.openaiEndpoint && address, openaiBaseUrl: address };
}

function servers({ openaiSttBaseUrl, openaiTtsBaseUrl }: Settings, address: string) {
  return { openaiSttBaseUrl: openaiSttBaseUrl && address, openaiTtsBaseUrl: openaiTtsBaseUrl && address };
}

function modelOf(settings: Settings, target: RecordingTarget): string {
  const { languageModel, realtimeModel } = partsOf(settings);
  if (target === "chat" && languageModel.kind === "openai") return `, ${languageModel.deployment ?? ""}`;
  return "model" in realtimeModel && target !== "speech" ? `, ${realtimeModel.model}` : "";
}
