/** Speech to speech by Azure Voice Live. */
import { createRealtimeClient } from "@voice/provider-kit/realtime-protocol/realtime-client";
import type { RealtimeClient, RealtimeClientOptions } from "@voice/provider-kit/realtime-protocol/realtime-client";
import { clientsByModel } from "../clients-by-model.ts";
import { createVoiceLiveDialect } from "./dialect.ts";
import { toHeaders, toSocketUrl } from "./endpoint.ts";
import type { VoiceLiveEndpoint } from "./endpoint.ts";
import { assertSpeakable } from "./session-update.ts";

export type VoiceLiveModelOptions = Omit<RealtimeClientOptions, "url" | "headers" | "dialect"> & {
  /** The endpoint, with the model for agents that name none. */
  readonly endpoint: VoiceLiveEndpoint;
  /** CLOUD_VOICELIVE_TRANSCRIPTION_MODEL */
  readonly transcriptionModel?: string | undefined;
};

export type VoiceLiveModel = RealtimeClient;

export function createVoiceLiveModel({
  endpoint,
  transcriptionModel,
  ...options
}: VoiceLiveModelOptions): VoiceLiveModel {
  const client = clientsByModel({
    model: endpoint.model,
    logger: options.logger,
    create: (model, serves) =>
      createRealtimeClient({
        ...options,
        url: toSocketUrl({ ...endpoint, model }),
        headers: () => toHeaders(endpoint.credential),
        dialect: createVoiceLiveDialect({ model, transcriptionModel, serves }),
      }),
  });
  let hasTold = false;
  return {
    ...client,
    async open(settings, listener, signal) {
      assertSpeakable(settings);
      if (settings.parallelToolCalls !== undefined && !hasTold) {
        hasTold = true;
        options.logger.warn(
          {},
          "Voice Live has no setting for parallel tool calls, so parallel_tool_calls of agents has no effect",
        );
      }
      return await client.open(settings, listener, signal);
    },
  };
}
