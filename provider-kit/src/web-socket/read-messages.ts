/** Reads a WebSocket of the `ws` library with a reader of our own, which is faster for the usual frames. */
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { MessageReader } from "./message-reader.ts";
import type { Sender } from "./message-reader.ts";

/**
 * Call this when the WebSocket is open; `stream` is the connection under it. The library has one listener on the stream, which from then on
 * receives only what the reader leaves to it; messages that it reads arrive as its own events. `onOtherFrame` is called for each frame that
 * is left to it. The returned function stops the reading: nothing that arrives later is examined.
 */
export function readMessages(
  webSocket: WebSocket,
  stream: Duplex,
  sender: Sender,
  onMessage: (data: Buffer, isBinary: boolean) => void,
  onOtherFrame?: () => void,
): () => void {
  const [listener, ...others] = stream.listeners("data");
  if (listener === undefined || others.length > 0) return () => undefined; // an unknown version of the library reads everything itself
  const reader = new MessageReader(sender, {
    onMessage(data, isBinary) {
      if (webSocket.readyState === webSocket.OPEN) onMessage(data, isBinary);
    },
    onOther: (bytes) => void Reflect.apply(listener, stream, [bytes]),
    ...(onOtherFrame && { onOtherFrame }),
  });
  const read = (chunk: Buffer): void => reader.push(chunk);
  stream.removeAllListeners("data");
  stream.on("data", read);
  const stop = (): void => {
    reader.stop();
    stream.off("data", read);
  };
  webSocket.on("error", stop); // what follows an invalid frame is not read
  return stop;
}
