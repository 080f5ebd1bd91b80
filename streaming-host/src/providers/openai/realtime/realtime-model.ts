/** Speech to speech by OpenAI's Realtime API, or by a server that speaks its protocol. */
import { isSampleRate } from "@voice/provider-kit/audio/resample";
import { createRealtimeClient } from "@voice/provider-kit/realtime-protocol/realtime-client";
import type { RealtimeClient, RealtimeClientOptions } from "@voice/provider-kit/realtime-protocol/realtime-client";
import { isOpenAi } from "@voice/shared/config/openai-servers";
import { VoiceError } from "@voice/shared/platform/errors";
import type { RealtimeDialect } from "@voice/provider-kit/realtime-protocol/dialect";
import { createOpenAiDialect } from "./dialect.ts";
import { resampledListener, resampledSession } from "./resampled-session.ts";
import { wireRateHz } from "./session-config.ts";

export type OpenAiRealtimeOptions = Omit<RealtimeClientOptions, "url" | "headers" | "dialect"> & {
  /** Including `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | undefined;
  /** The one for conversations if absent. */
  readonly dialect?: RealtimeDialect;
};

export function createOpenAiRealtimeModel({ baseUrl, model, key, ...options }: OpenAiRealtimeOptions): RealtimeClient {
  const { dialect = createOpenAiDialect({ model, hearsMeaning: isOpenAi(baseUrl) }) } = options;
  const client = createRealtimeClient({
    ...options,
    url: toSocketUrl(baseUrl, model),
    headers: () => Promise.resolve(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    dialect,
  });
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

function toSocketUrl(baseUrl: string, model: string): URL {
  const url = new URL(`${baseUrl.replace(/^http/, "ws").replace(/\/+$/, "")}/realtime`);
  url.searchParams.set("model", model);
  return url;
}
