/**
 * Speech to speech by Azure Voice Live, over our own thin client: no compression of audio, no dispatch that lets events
 * overtake one another, a deadline on everything, and the key in no URL.
 */
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createUpstream } from "@voice/shared/platform/upstream";
import type { UpstreamHealth } from "@voice/shared/platform/upstream";
import { WebSocket } from "ws";
import type { ClientOptions } from "ws";
import type {
  RealtimeListener,
  RealtimeModel,
  RealtimeSession,
  RealtimeSettings,
} from "@voice/provider-kit/ports/realtime-model";
import { toHeaders, toSocketUrl } from "./endpoint.ts";
import type { VoiceLiveEndpoint } from "./endpoint.ts";
import { ModelAbilities } from "./model-abilities.ts";
import { SessionOpening } from "./session-opening.ts";
import { assertSpeakable } from "./session-update.ts";

export type VoiceLiveModelOptions = {
  readonly endpoint: VoiceLiveEndpoint;
  readonly retry: RetrySettings;
  /** From the first packet until the service accepted the settings. */
  readonly openTimeoutMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly createSocket?: (url: URL, options: ClientOptions) => WebSocket;
};

export interface VoiceLiveModel extends RealtimeModel {
  health(): UpstreamHealth;
}

const defaultOpenTimeoutMs = 5_000;
/** A second of audio is 64 KB in base64; the service sends less at a time. */
const largestMessageBytes = 4 * 1024 * 1024;

export function createVoiceLiveModel(options: VoiceLiveModelOptions): VoiceLiveModel {
  const { endpoint, retry, clock, logger, openTimeoutMs = defaultOpenTimeoutMs } = options;
  const createSocket = options.createSocket ?? ((url, socketOptions) => new WebSocket(url, socketOptions));
  const abilities = new ModelAbilities(endpoint.model);
  const upstream = createUpstream({ name: "realtime model", retry, logger });

  async function attempt(
    settings: RealtimeSettings,
    listener: RealtimeListener,
    signal: AbortSignal,
  ): Promise<RealtimeSession> {
    assertSpeakable(settings);
    const headers = await toHeaders(endpoint.credential);
    signal.throwIfAborted();
    const socket = createSocket(toSocketUrl(endpoint), {
      headers,
      perMessageDeflate: false,
      maxPayload: largestMessageBytes,
    });
    return new SessionOpening(socket, { settings, listener, abilities, openTimeoutMs, clock, logger, signal }).opened;
  }

  return {
    open: (settings, listener, signal) =>
      upstream.run(
        (attemptSignal) => attempt(settings, listener, attemptSignal),
        signal,
        (unwanted) => unwanted.close(),
      ),
    health: () => upstream.health(),
  };
}
