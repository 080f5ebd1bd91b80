/**
 * A thin client of the realtime protocol. It does not compress audio, delivers events in order, sets a deadline for everything, and puts
 * the key in no URL.
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
import type { RealtimeDialect } from "./dialect.ts";
import { ClosedOverSettingsError, openSession } from "./session-opening.ts";
import type { SettingsNegotiation } from "./session-settings.ts";

export type RealtimeClientOptions = {
  readonly url: URL;
  /** Called for every connection. Credentials are sent only in headers, because query strings end up in the logs of proxies. */
  readonly headers: () => Promise<NonNullable<ClientOptions["headers"]>>;
  readonly dialect: RealtimeDialect;
  readonly retry: RetrySettings;
  /** The longest wait from the first packet until the service has accepted the settings. */
  readonly openTimeoutMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
};

export interface RealtimeClient extends RealtimeModel {
  health(): RealtimeHealth;
}

export interface RealtimeHealth extends UpstreamHealth {
  /** What the service has rejected of sessions' settings, and what is sent instead, as text for operators. */
  readonly learnt: readonly string[];
}

const defaultOpenTimeoutMs = 5_000;
/** A second of audio is 64 KB in base64, and the service sends less at a time. */
const largestMessageBytes = 4 * 1024 * 1024;

export function createRealtimeClient(options: RealtimeClientOptions): RealtimeClient {
  const { url, headers, dialect, retry, clock, logger, openTimeoutMs = defaultOpenTimeoutMs } = options;
  const upstream = createUpstream({ name: "realtime model", retry, logger });

  /**
   * RT-1. `negotiation`: the state of the negotiation over which the previous connection was closed. It ends after a number of attempts.
   */
  async function attempt(
    settings: RealtimeSettings,
    listener: RealtimeListener,
    signal: AbortSignal,
    negotiation?: SettingsNegotiation,
  ): Promise<RealtimeSession> {
    const proof = await headers();
    signal.throwIfAborted();
    const socket = new WebSocket(url, {
      headers: proof,
      perMessageDeflate: false,
      maxPayload: largestMessageBytes,
    });
    try {
      return await openSession(socket, {
        settings,
        listener,
        dialect,
        openTimeoutMs,
        clock,
        logger,
        signal,
        negotiation,
      });
    } catch (error) {
      if (!(error instanceof ClosedOverSettingsError)) throw error;
      return await attempt(settings, listener, signal, error.negotiation);
    }
  }

  return {
    open: (settings, listener, signal) =>
      upstream.run(
        (attemptSignal) => attempt(settings, listener, attemptSignal),
        signal,
        (unwanted) => unwanted.close(),
      ),
    health: () => ({ ...upstream.health(), learnt: dialect.learnt.notes }),
  };
}
