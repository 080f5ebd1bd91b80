/** Speech to speech by Azure Voice Live. */
import { createRealtimeClient } from "@voice/provider-kit/realtime-protocol/realtime-client";
import type { RealtimeClient, RealtimeClientOptions } from "@voice/provider-kit/realtime-protocol/realtime-client";
import { createVoiceLiveDialect } from "./dialect.ts";
import { toHeaders, toSocketUrl } from "./endpoint.ts";
import type { VoiceLiveEndpoint } from "./endpoint.ts";
import { assertSpeakable } from "./session-update.ts";

export type VoiceLiveModelOptions = Omit<RealtimeClientOptions, "url" | "headers" | "dialect"> & {
  readonly endpoint: VoiceLiveEndpoint;
};

export type VoiceLiveModel = RealtimeClient;

export function createVoiceLiveModel({ endpoint, ...options }: VoiceLiveModelOptions): VoiceLiveModel {
  const client = createRealtimeClient({
    ...options,
    url: toSocketUrl(endpoint),
    headers: () => toHeaders(endpoint.credential),
    dialect: createVoiceLiveDialect(endpoint.model),
  });
  return {
    async open(settings, listener, signal) {
      assertSpeakable(settings);
      return await client.open(settings, listener, signal);
    },
    health: () => client.health(),
  };
}
