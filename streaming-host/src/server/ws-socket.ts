/** The `ws` library behind the transports' narrow socket port. */
import type { Duplex } from "node:stream";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { RawData, WebSocket } from "ws";
import { closeReasons } from "../transports/close-reasons.ts";
import type { Socket } from "../transports/socket.ts";

/** How long a peer may take to answer our close frame before the connection is cut. */
const closeGraceMs = 2000;

/**
 * HS-8: a peer may be silent for as long as it likes, but a dead one must not hold a session. It is asked this often, and
 * cut when it has neither answered nor said anything by the next time.
 */
export const keepAliveMs = 20_000;

/**
 * The socket is paused until `start`: the kernel keeps what arrives early, and holds back who sends too much of it.
 * `stream` is what the WebSocket was made on. A write of its own for each of the half dozen messages around the end of a
 * turn costs more than everything else that is done then (20 to 50 µs each), so they share one.
 */
export function createWsSocket(webSocket: WebSocket, stream: Duplex, clock: Clock, logger: Logger): Socket {
  webSocket.pause();
  let isAlive = true;
  let isHolding = false;
  let cancelKeepAlive: CancelTimer | undefined;

  const socket: Socket = {
    start() {
      webSocket.resume();
      if (webSocket.readyState === webSocket.CLOSED) socket.onClose?.("closed before it began");
    },
    send(data) {
      if (webSocket.readyState !== webSocket.OPEN) return;
      // ws keeps a reference until the kernel took the bytes, and the caller reuses its frame.
      webSocket.send(typeof data === "string" ? data : Buffer.from(data));
      release();
    },
    sendSoon(data) {
      if (webSocket.readyState !== webSocket.OPEN) return;
      hold();
      webSocket.send(data);
    },
    close(code, reason) {
      webSocket.resume(); // the peer's answer to our close frame has to be read
      webSocket.close(code, reason);
      const cancelCut = clock.setTimer(closeGraceMs, () => webSocket.terminate());
      webSocket.once("close", cancelCut);
    },
    get unsentBytes() {
      return webSocket.bufferedAmount;
    },
    onMessage: undefined,
    onClose: undefined,
  };

  function hold(): void {
    if (isHolding) return;
    isHolding = true;
    stream.cork();
    setImmediate(release);
  }

  function release(): void {
    if (!isHolding) return;
    isHolding = false;
    stream.uncork();
  }

  function keepAlive(): void {
    cancelKeepAlive = clock.setTimer(keepAliveMs, () => {
      if (!isAlive) {
        webSocket.terminate();
        return;
      }
      isAlive = webSocket.isPaused;
      webSocket.ping();
      keepAlive();
    });
  }

  webSocket.on("pong", () => {
    isAlive = true;
  });
  webSocket.on("message", (data: RawData, isBinary: boolean) => {
    isAlive = true;
    if (!Buffer.isBuffer(data)) return;
    try {
      socket.onMessage?.(data, isBinary);
    } catch (error) {
      // Whatever a peer has sent, it ends at most its own session.
      logger.error({ error }, "a message broke its session");
      socket.close(closeReasons.internal.code, closeReasons.internal.text);
    }
  });
  // A protocol violation or an oversized message: ws closes the socket itself (1002, 1007, 1009) and tells us why.
  webSocket.on("error", (error) => logger.warn({ error }, "a peer broke the WebSocket protocol"));
  webSocket.once("close", (code) => {
    cancelKeepAlive?.();
    socket.onClose?.(`closed with ${code}`);
  });
  keepAlive();
  return socket;
}
