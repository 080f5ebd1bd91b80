/**
 * Speech to speech by Azure Voice Live, over our own thin client: no compression of audio, no dispatch that lets events
 * overtake one another, a deadline on everything, and the key in no URL.
 */
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import { UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { createUpstream } from "@voice/shared/platform/upstream";
import type { UpstreamHealth } from "@voice/shared/platform/upstream";
import { WebSocket } from "ws";
import type { ClientOptions } from "ws";
import type { RealtimeListener, RealtimeModel, RealtimeSession, RealtimeSettings } from "../ports/realtime-model.ts";
import { toHeaders, toSocketUrl } from "./endpoint.ts";
import type { VoiceLiveEndpoint } from "./endpoint.ts";
import { parseServerEvent } from "./server-events.ts";
import { VoiceLiveSession } from "./session.ts";
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
    return await new Promise((resolve, reject) => {
      const session = new VoiceLiveSession(socket, listener, clock);
      let isReady = false;
      const cancelDeadline = clock.setTimer(openTimeoutMs, () => {
        fail(new VoiceError("upstream_timeout", `the realtime model did not open a session in ${openTimeoutMs} ms`));
      });
      const onAbort = (): void => {
        fail(signal.reason instanceof Error ? signal.reason : new DOMException("aborted", "AbortError"));
      };
      const settle = (): void => {
        cancelDeadline();
        signal.removeEventListener("abort", onAbort);
      };

      function fail(error: Error): void {
        settle();
        // Closing first keeps the session from telling its listener what the caller of `open` learns.
        session.close();
        socket.terminate();
        reject(error);
      }

      signal.addEventListener("abort", onAbort, { once: true });
      socket.on("unexpected-response", (_request, response) => {
        response.resume();
        fail(toHandshakeError(response.statusCode ?? 0));
      });
      socket.on("error", () => {
        const error = new VoiceError("upstream_unavailable", "the connection to the realtime model failed");
        if (isReady) session.end(error);
        else fail(error);
      });
      socket.on("close", (code) => {
        const error = new VoiceError("upstream_unavailable", `the realtime model closed the connection (${code})`);
        if (isReady) session.end(error);
        else fail(error);
      });
      socket.on("message", (data, isBinary) => {
        if (isBinary || !Buffer.isBuffer(data)) return;
        const event = parseServerEvent(data.toString("utf8"));
        if (isReady) {
          session.receive(event);
        } else if (event.type === "session-created") {
          session.update(settings);
        } else if (event.type === "error") {
          fail(event.error);
        } else if (event.type === "session-updated") {
          isReady = true;
          settle();
          resolve(session);
        }
      });
    });
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

function toHandshakeError(status: number): VoiceError {
  const message = `the realtime model refused the connection (${status})`;
  if (status === 429) return new VoiceError("rate_limited", message);
  if (status === 401 || status === 403) return new UpstreamAccessError(message);
  return new VoiceError("upstream_unavailable", message, { retryable: status >= 500 });
}
