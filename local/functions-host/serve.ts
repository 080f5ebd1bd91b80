/** Serves a functions app on a port of its own, as the Functions host would. */
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "@voice/shared/platform/logger";
import { silentLogger } from "@voice/shared/platform/logger";
import type { FunctionsApp } from "./functions-app.ts";
import { createFunctionsRequestListener } from "./request-listener.ts";
import type { FunctionsRequestListener, ListenerOptions } from "./request-listener.ts";

export interface ServedFunctions {
  readonly url: string;
  /** Stops listening, ends open connections and runs the app's termination hooks. Idempotent. */
  close(): Promise<void>;
}

export async function serveFunctions(
  app: FunctionsApp,
  options: { readonly host?: string; readonly port?: number } & Pick<ListenerOptions, "logger" | "problemOfHost"> = {},
): Promise<ServedFunctions> {
  const { host = "127.0.0.1", port = 0, logger = silentLogger, problemOfHost } = options;
  const listener = createFunctionsRequestListener(app, { logger, ...(problemOfHost && { problemOfHost }) });
  const server = createServer((request, response) => {
    void answer(listener, request, response, logger);
  });
  const address = await listen(server, host, port);
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host}:${address.port}`,
    close: () => (closing ??= stop(server).then(async () => app.close())),
  };
}

async function answer(
  listener: FunctionsRequestListener,
  request: IncomingMessage,
  response: ServerResponse,
  logger: Logger,
): Promise<void> {
  try {
    const isHandled = await listener(request, response);
    if (!isHandled) response.writeHead(404, { "content-length": "0" }).end();
  } catch (error) {
    // The peer disconnected while sending its body, so there is nobody to answer.
    logger.debug({ error }, "request ended early");
    response.destroy();
  }
}

async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address;
}

async function stop(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
