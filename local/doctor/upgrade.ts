/** Asks for a socket at the streaming hosts, and looks no further than how that is answered. */
import type { Settings } from "@voice/shared/config/settings";
import { WebSocket } from "ws";

/** Undefined where the settings do not say where we are. */
export function streamingUrlOf({ baseUrl, streamingHostUrl }: Settings): string | undefined {
  return streamingHostUrl ?? baseUrl?.replace(/^http/, "ws");
}

export function statusOfUpgrade(
  url: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { signal, headers });
    socket.once("open", () => {
      resolve(101);
      socket.close();
    });
    socket.once("unexpected-response", (_request, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on("error", reject);
  });
}
