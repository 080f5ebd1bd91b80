import type { IncomingMessage } from "node:http";

import { VoiceError } from "@voice/shared/platform/errors";
import { WebSocket } from "ws";

import type { CallerSocket, CallerSocketEvents } from "./caller-socket.ts";

const HANDSHAKE_TIMEOUT_MS = 5000;

/** A peer that does not answer our close is cut off after this. */
const CLOSE_TIMEOUT_MS = 1000;

export function openWebSocket(url: URL, events: CallerSocketEvents, signal: AbortSignal): Promise<CallerSocket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = new WebSocket(url, { handshakeTimeout: HANDSHAKE_TIMEOUT_MS, perMessageDeflate: false });
    const abandon = (): void => {
      socket.terminate();
      reject(new VoiceError("upstream_unavailable", "connecting was called off"));
    };
    signal.addEventListener("abort", abandon, { once: true });

    socket.on("open", () => {
      signal.removeEventListener("abort", abandon);
      resolve(toCallerSocket(socket));
    });
    socket.on("unexpected-response", (_request, response: IncomingMessage) => {
      response.resume();
      socket.terminate();
      reject(refusal(url, response));
    });
    // Also keeps an error after the opening from ending the process; the close that follows it is what the caller sees.
    socket.on("error", (cause) => {
      reject(
        new VoiceError("upstream_unavailable", `cannot connect to ${url.host}: is the service running? (npm start)`, {
          cause,
        }),
      );
    });
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) events.onAudio(data);
      else events.onText(data.toString("utf8"));
    });
    socket.on("close", (code, reason) => events.onClose(code, reason.toString("utf8")));
  });
}

function toCallerSocket(socket: WebSocket): CallerSocket {
  return {
    send(data) {
      if (socket.readyState === WebSocket.OPEN) socket.send(data);
    },
    close() {
      socket.close(1000);
      setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
    },
  };
}

function refusal(url: URL, response: IncomingMessage): VoiceError {
  const status = response.statusCode ?? 0;
  const reason = status === 503 ? "the service is at capacity or not ready yet" : (response.statusMessage ?? "");
  const code = status === 401 ? "unauthorized" : status === 403 ? "forbidden" : "upstream_unavailable";
  return new VoiceError(code, `${url.host} refused the connection: HTTP ${status} ${reason}`.trimEnd());
}
