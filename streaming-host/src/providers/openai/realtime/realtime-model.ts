/** Speech to speech by OpenAI's Realtime API, or by a server that speaks its protocol. */
import { createResampler, isSampleRate } from "@voice/provider-kit/audio/resample";
import { createRealtimeClient } from "@voice/provider-kit/realtime-protocol/realtime-client";
import type { RealtimeClient, RealtimeClientOptions } from "@voice/provider-kit/realtime-protocol/realtime-client";
import { isOpenAi } from "@voice/shared/config/openai-servers";
import { defaultTranscriptionModel } from "@voice/shared/costs/billed-names";
import { VoiceError } from "@voice/shared/platform/errors";
import type { RealtimeDialect } from "@voice/provider-kit/realtime-protocol/dialect";
import { clientsByModel } from "../../clients-by-model.ts";
import { azureHeaders } from "../../credential.ts";
import type { Credential } from "../../credential.ts";
import { transcriptionModels } from "../../other-parts.ts";
import { isAzureEndpoint } from "../endpoint.ts";
import { createOpenAiDialect } from "./dialect.ts";
import { wireRateHz } from "./session-config.ts";
import { changedSession } from "@voice/provider-kit/realtime-protocol/changed-session";
import type { RealtimeListener, RealtimeSession } from "@voice/provider-kit/ports/realtime-model";

export type OpenAiRealtimeOptions = Omit<RealtimeClientOptions, "url" | "headers" | "dialect"> & {
  /** Including `/v1`. */
  readonly baseUrl: string;
  /** The model for agents that name none. */
  readonly model: string;
  readonly credential: RealtimeCredential;
  /** OPENAI_REALTIME_TRANSCRIPTION_MODEL */
  readonly transcriptionModel?: string | undefined;
  /** If absent, the dialect for conversations. */
  readonly dialect?: RealtimeDialect;
};

/** Azure OpenAI expects the key in a header of its own, and Entra tokens; all others expect a bearer. */
export type RealtimeCredential = Credential | { readonly kind: "none" };

/**
 * `gpt-transcribe` succeeds the models that OpenAI retires on 2027-02-26 (`openai`, `AudioTranscription.model`). For Azure OpenAI these are
 * names of deployments, and a deployment is usually named after its model (Microsoft, "Realtime API reference", Azure deviation).
 */
const knownTranscriptionModels = [
  defaultTranscriptionModel,
  "gpt-4o-transcribe",
  "gpt-4o-mini-transcribe",
  "whisper-1",
];

export function createOpenAiRealtimeModel(options: OpenAiRealtimeOptions): RealtimeClient {
  const { baseUrl, model: own, credential, transcriptionModel, dialect, ...rest } = options;
  const inOrder = transcriptionModels(transcriptionModel, knownTranscriptionModels);
  const client = clientsByModel(
    own,
    (model, serves) =>
      createRealtimeClient({
        ...rest,
        url: toSocketUrl(baseUrl, model),
        headers: () => toHeaders(credential, baseUrl),
        dialect:
          dialect ??
          createOpenAiDialect({ model, hearsMeaning: isOpenAi(baseUrl), transcriptionModels: inOrder, serves }),
      }),
    options.logger,
  );
  return {
    async open(settings, listener, signal) {
      const { sampleRateHz } = settings;
      if (!isSampleRate(sampleRateHz))
        throw new VoiceError("audio_format_unsupported", `the realtime model does not speak at ${sampleRateHz} Hz`);
      if (sampleRateHz === wireRateHz) return await client.open(settings, listener, signal);
      const heard = resampledListener(listener, wireRateHz, sampleRateHz);
      return resampledSession(await client.open(settings, heard, signal), sampleRateHz, wireRateHz);
    },
    health: () => client.health(),
  };
}

async function toHeaders(credential: RealtimeCredential, baseUrl: string): Promise<Readonly<Record<string, string>>> {
  if (credential.kind === "none") return {};
  if (credential.kind === "token" || isAzureEndpoint(baseUrl)) return azureHeaders(credential);
  return { authorization: `Bearer ${credential.key}` };
}

function toSocketUrl(baseUrl: string, model: string): URL {
  const url = new URL(`${baseUrl.replace(/^http/, "ws").replace(/\/+$/, "")}/realtime`);
  url.searchParams.set("model", model);
  return url;
}

/**
 * Resamples between a session at its peer's rate and one at the protocol's rate. Milliseconds are the same on both
 * sides. Resamples the audio for the listener, each response separately.
 */
function resampledListener(listener: RealtimeListener, wireRateHz: number, sampleRateHz: number): RealtimeListener {
  const resampler = createResampler(wireRateHz, sampleRateHz);
  let itemId = "";
  return {
    onEvent(event) {
      if (event.type !== "audio") return listener.onEvent(event);
      if (event.itemId !== itemId) resampler.reset();
      itemId = event.itemId;
      return listener.onEvent({ ...event, samples: resampler.process(event.samples) });
    },
    onEnded: (error) => listener.onEnded(error),
  };
}

function resampledSession(session: RealtimeSession, sampleRateHz: number, wireRateHz: number): RealtimeSession {
  const resampler = createResampler(sampleRateHz, wireRateHz);
  return changedSession(session, { appendAudio: (samples) => session.appendAudio(resampler.process(samples)) });
}
