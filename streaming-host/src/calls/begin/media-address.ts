/** The addresses at which the communication service reaches us. */
import { callbackUrl } from "@voice/shared/calls/webhook-urls";
import type { Settings } from "@voice/shared/config/settings";
import { VoiceError } from "@voice/shared/platform/errors";
import { localeOf } from "@voice/shared/languages/locale-of";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { CallAddresses, CallStreamKind } from "@voice/provider-kit/ports/call-automation";

type AddressSettings = Pick<Settings, "baseUrl" | "streamingHostUrl" | "commWebhookSecrets">;

export function callAddresses(
  settings: AddressSettings,
  call: Pick<CallRecord, "callId" | "sessionId">,
): CallAddresses {
  const { baseUrl, streamingHostUrl } = settings;
  if (baseUrl === undefined)
    throw new VoiceError("dependency_not_ready", "BASE_URL is not set: nobody could call back");
  const media = new URL(`${streamingHostUrl ?? baseUrl.replace(/^http/, "ws")}/api/v1/media/stream`);
  // The connection has no id yet; the service names it in a header when it connects.
  media.searchParams.set("call_id", call.callId);
  media.searchParams.set("session_id", call.sessionId);
  return { callbackUrl: callbackUrl(baseUrl, settings), mediaUrl: media.href };
}

/**
 * The realtime model works at 24 kHz, everything else at 16. A call that is only transcribed needs no audio if the
 * service transcribes by itself, unless the audio is to be recorded.
 */
export function streamOf(
  { streamingMode, recording, language }: Pick<CallRecord, "streamingMode" | "recording" | "language">,
  { commCognitiveEndpoint: cognitiveUrl, sttLanguage }: Pick<Settings, "commCognitiveEndpoint" | "sttLanguage">,
): CallStreamKind {
  if (streamingMode === "TRANSCRIPTION" && cognitiveUrl !== undefined && !recording)
    return { kind: "transcript", language: localeOf(language ?? sttLanguage), cognitiveUrl };
  return { kind: "audio", sampleRateHz: streamingMode === "VOICE_LIVE" ? 24_000 : 16_000 };
}
