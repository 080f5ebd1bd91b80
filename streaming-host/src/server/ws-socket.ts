/** The `ws` library behind the transports' narrow socket port. */
import type { Logger } from "@voice/shared/platform/logger";
import type { RawData, WebSocket } from "ws";
import type { Socket } from "../transports/socket.ts";

/** How long a peer may take to answer our close frame before the connection is cut. */
const closeGraceMs = 2000;

export function createWsSocket(webSocket: WebSocket, logger: Logger): Socket {
  const socket: Socket = {
    send(data) {
      if (webSocket.readyState !== webSocket.OPEN) return;
      // ws keeps a reference until the kernel took the bytes, and the caller reuses its frame.
      webSocket.send(typeof data === "string" ? data : Buffer.from(data));
    },
    close(code, reason) {
      webSocket.close(code, reason);
      const timer = setTimeout(() => webSocket.terminate(), closeGraceMs);
      timer.unref();
      webSocket.once("close", () => clearTimeout(timer));
    },
    get unsentBytes() {
      return webSocket.bufferedAmount;
    },
    onMessage: undefined,
    onClose: undefined,
  };
  webSocket.on("message", (data: RawData, isBinary: boolean) => {
    if (Buffer.isBuffer(data)) socket.onMessage?.(data, isBinary);
  });
  // A protocol violation or an oversized message: ws closes the socket itself (1002, 1007, 1009) and tells us why.
  webSocket.on("error", (error) => logger.warn({ error }, "a peer broke the WebSocket protocol"));
  webSocket.once("close", (code) => socket.onClose?.(`closed with ${code}`));
  return socket;
}
