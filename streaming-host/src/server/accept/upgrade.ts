/** The `ws` library's part of an upgrade: turns an admitted HTTP request into a socket. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { WebSocket, WebSocketServer } from "ws";
import { maxMessageBytes } from "../../transports/message-limits.ts";
import type { Socket } from "../../transports/socket.ts";
import { pathOf, refuseUpgrade } from "./refuse-upgrade.ts";
import type { Refusal } from "./refuse-upgrade.ts";
import { WsSocket } from "./ws-socket.ts";
import { closeReasons } from "../../transports/close-reasons.ts";

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

export class WsUpgrader implements Upgrader {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols: chooseSubprotocol,
    WebSocket: ExplainingWebSocket,
  });

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
    this.#server.on("wsClientError", (error, stream, request) =>
      refuseUpgrade(stream, pathOf(request), invalidHandshake(error)),
    );
  }

  upgrade({ request, stream, head }: UpgradeRequest, onSocket: (socket: Socket) => void): void {
    this.#server.handleUpgrade(request, stream, head, (webSocket) =>
      onSocket(new WsSocket(webSocket, request.socket, this.#clock, this.#logger)),
    );
  }

  close(): void {
    this.#server.close();
  }
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

const { brokenProtocol, invalidText, tooLarge } = closeReasons;
const reasons: ReadonlyMap<number | undefined, string> = new Map(
  [brokenProtocol, invalidText, tooLarge].map(({ code, text }) => [code, text]),
);

/** The library closes the socket of a peer that breaks the protocol with a code alone; this adds what the code means here. */
class ExplainingWebSocket extends WebSocket {
  /** The answer to a peer's own close frame has that frame's reason, and is left alone. */
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason ?? reasons.get(code));
  }
}

/** HOOK-3: our name for the protocol, and the vendor's. */
const hookProtocols = ["hook-v2", "audiohook-v2"] as const;

/**
 * Which of the subprotocols that a client offers we speak; RFC 6455 section 4.2.2 forbids any other answer. Called
 * only if the client offers subprotocols. If false is returned, no subprotocol is chosen, and the client decides what
 * that means.
 */
function chooseSubprotocol(
  offered: ReadonlySet<string>,
  request: { readonly url?: string | undefined },
): string | false {
  if (request.url?.startsWith("/api/v1/telephony/") === true)
    return hookProtocols.find((known) => offered.has(known)) ?? false;
  // On other routes a subprotocol has no meaning for us, but clients that name one expect it to be accepted.
  return offered.values().next().value ?? false;
}
