/** Speech to speech by Azure Voice Live. */
import { createRealtimeClient } from "@voice/provider-kit/realtime-protocol/realtime-client";
import type { RealtimeClient, RealtimeClientOptions } from "@voice/provider-kit/realtime-protocol/realtime-client";
import { clientsByModel } from "../clients-by-model.ts";
import { azureHeaders } from "../credential.ts";
import type { Credential } from "../credential.ts";
import { createVoiceLiveDialect } from "./dialect.ts";
import { assertSpeakable } from "./session-update.ts";

export type VoiceLiveModelOptions = Omit<RealtimeClientOptions, "url" | "headers" | "dialect"> & {
  /** The endpoint, with the model for agents that name none. */
  readonly endpoint: VoiceLiveEndpoint;
  /** CLOUD_VOICELIVE_TRANSCRIPTION_MODEL */
  readonly transcriptionModel?: string | undefined;
};

export function createVoiceLiveModel({
  endpoint,
  transcriptionModel,
  ...options
}: VoiceLiveModelOptions): RealtimeClient {
  const client = clientsByModel(
    endpoint.model,
    (model, serves) =>
      createRealtimeClient({
        ...options,
        url: toSocketUrl({ ...endpoint, model }),
        headers: () => azureHeaders(endpoint.credential),
        dialect: createVoiceLiveDialect(model, transcriptionModel, serves),
      }),
    options.logger,
  );
  return {
    ...client,
    async open(settings, listener, signal) {
      assertSpeakable(settings);
      return await client.open(settings, listener, signal);
    },
  };
}

/** The address of the Voice Live service and our credentials for it. */
type VoiceLiveEndpoint = {
  /** The resource: `https://name.services.ai.azure.com`. */
  readonly url: string;
  readonly model: string;
  readonly credential: Credential;
};

/** The newest version that Microsoft's live tests run against (azure-sdk-for-python, sdk/voicelive/azure-ai-voicelive/tests/live). */
const apiVersion = "2026-07-15";

function toSocketUrl({ url, model }: VoiceLiveEndpoint): URL {
  const socketUrl = new URL("/voice-live/realtime", url.replace(/^http/, "ws"));
  socketUrl.searchParams.set("api-version", apiVersion);
  socketUrl.searchParams.set("model", model);
  return socketUrl;
}
