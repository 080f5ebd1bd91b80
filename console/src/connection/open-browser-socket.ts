import type { BrowserSocket, SocketEvents } from "./reconnecting-socket.ts";

/** The service's own origin with the socket's scheme. */
export function socketUrl(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const url = new URL(path, window.location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

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
