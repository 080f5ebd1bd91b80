import type { IncomingMessage } from "node:http";

import { VoiceError } from "@voice/shared/platform/errors";
import { WebSocket } from "ws";
import { z } from "zod";

import type { CallerSocket, CallerSocketEvents } from "./caller-socket.ts";

/** Far longer than a service needs that is not overwhelmed; one that starts beside a build may need some seconds. */
const handshakeTimeoutMs = 15_000;

/** A peer that does not answer our close is cut off after this. */
const closeTimeoutMs = 1000;

/** A problem document has a few hundred; a much longer body is a page from something other than the service. */
const maxProblemCharacters = 20_000;

const problem = z.object({ detail: z.string() });

export function openWebSocket(url: URL, events: CallerSocketEvents, signal: AbortSignal): Promise<CallerSocket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = new WebSocket(url, { handshakeTimeout: handshakeTimeoutMs, perMessageDeflate: false });
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
      resolve(refuse(url, response).finally(() => socket.terminate()));
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
      setTimeout(() => socket.terminate(), closeTimeoutMs).unref();
    },
  };
}

/** The service explains a refusal in a problem document. */
async function refuse(url: URL, response: IncomingMessage): Promise<never> {
  const status = response.statusCode ?? 0;
  const code = status === 401 ? "unauthorized" : status === 403 ? "forbidden" : "upstream_unavailable";
  const reason = (await readDetail(response)) ?? response.statusMessage ?? "";
  throw new VoiceError(code, `${url.host} refused the connection: HTTP ${status} ${reason}`.trimEnd());
}

async function readDetail(response: IncomingMessage): Promise<string | undefined> {
  try {
    let body = "";
    for await (const chunk of response) {
      body += String(chunk);
      if (body.length > maxProblemCharacters) return undefined;
    }
    return problem.parse(JSON.parse(body)).detail;
  } catch {
    return undefined; // a proxy's page, or a connection that was cut: only the status is known
  }
}
