import type { BrowserSocket, SocketEvents } from "./reconnecting-socket.ts";

/** The part of the standard's WebSocket that is used. `ws` has it, too, where Node has none of its own. */
export type WebSocketConstructor = new (
  url: string,
) => Pick<WebSocket, "binaryType" | "addEventListener" | "send" | "close">;

export const openBrowserSocket = openSocketWith((url) => new WebSocket(url));

export function openSocketWith(create: (url: string) => InstanceType<WebSocketConstructor>) {
  return (url: string, events: SocketEvents): BrowserSocket => open(create(url), events);
}

function open(socket: InstanceType<WebSocketConstructor>, events: SocketEvents): BrowserSocket {
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
