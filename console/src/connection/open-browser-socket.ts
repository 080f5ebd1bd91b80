import type { BrowserSocket, SocketEvents } from "./reconnecting-socket.ts";

export function openBrowserSocket(url: string, events: SocketEvents): BrowserSocket {
  const socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  socket.addEventListener("open", () => events.onOpen());
  socket.addEventListener("close", ({ code, reason }) => events.onClose(code, reason));
  socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "string") events.onText(data);
    else if (data instanceof ArrayBuffer) events.onBinary(data);
  });
  return {
    send: (data) => socket.send(data),
    close: () => socket.close(1000),
  };
}
