/** Requests a WebSocket upgrade from the streaming hosts and looks only at the response. */
import type { Settings } from "@voice/shared/config/settings";
import { WebSocket } from "ws";

/** Undefined where the settings do not contain our address. */
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
