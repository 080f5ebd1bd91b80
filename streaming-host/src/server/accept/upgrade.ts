/** The `ws` library's part of an upgrade: turns an admitted HTTP request into a socket. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { WebSocketServer } from "ws";
import { maxMessageBytes } from "../../transports/message-limits.ts";
import type { Socket } from "../../transports/socket.ts";
import { ExplainingWebSocket } from "./explaining-web-socket.ts";
import { pathOf, refuseUpgrade } from "./refuse-upgrade.ts";
import type { Refusal } from "./refuse-upgrade.ts";
import { chooseSubprotocol } from "./subprotocol.ts";
import { createWsSocket } from "./ws-socket.ts";

export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly stream: Duplex;
  /** Bytes that arrived together with the request. */
  readonly head: Buffer;
}

export interface Upgrader {
  /** `onSocket` runs before this returns, or never, since a malformed handshake is answered here with 400. */
  upgrade(asked: UpgradeRequest, onSocket: (socket: Socket) => void): void;
  close(): void;
}

export function createUpgrader(clock: Clock, logger: Logger): Upgrader {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols: chooseSubprotocol,
    WebSocket: ExplainingWebSocket,
  });
  server.on("wsClientError", (error, stream, request) =>
    refuseUpgrade(stream, pathOf(request), invalidHandshake(error)),
  );
  return {
    upgrade({ request, stream, head }, onSocket) {
      server.handleUpgrade(request, stream, head, (webSocket) =>
        onSocket(createWsSocket(webSocket, request.socket, clock, logger)),
      );
    },
    close: () => server.close(),
  };
}

/** The library's messages are fixed sentences that name the header. */
function invalidHandshake({ message }: Error): Refusal {
  return {
    status: 400,
    code: "validation_error",
    detail: `This is not a valid WebSocket handshake: ${message}.`,
    headers: ["Sec-WebSocket-Version: 13"], // RFC 6455 section 4.4
  };
}
