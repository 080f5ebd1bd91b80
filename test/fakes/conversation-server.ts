/**
 * A service that follows the browser contract without a speech engine: it hears loudness instead of words and answers in
 * tones. For the clients' own tests (console, caller); what the real service does is tested against the real service.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { WebSocketServer } from "ws";

import { FakeConversation } from "./fake-conversation.ts";
import { fakeApiResponse } from "./fake-api.ts";

const SPOKEN_MS_PER_CHARACTER = 60;

export interface FakeService {
  readonly origin: string;
  readonly conversations: readonly FakeConversation[];
  close(): Promise<void>;
}

export interface FakeServiceOptions {
  /** 0 picks a free port. */
  readonly port?: number;
  /** Serves what is not the API, such as the console; returns whether it did. */
  readonly pages?: (...args: Parameters<RequestListener>) => boolean;
  /** How fast the agents talk; the default is the pace of speech. */
  readonly msPerCharacter?: number;
  /** Refuses every upgrade with this status. */
  readonly refuseWith?: number;
}

export async function startFakeService(options: FakeServiceOptions = {}): Promise<FakeService> {
  const { port = 0, pages, refuseWith, msPerCharacter = SPOKEN_MS_PER_CHARACTER } = options;
  const conversations: FakeConversation[] = [];
  const server = createServer((request, response) => {
    if (pages?.(request, response) === true) return;
    const body = fakeApiResponse(pathOf(request), conversations);
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? { type: "not_found", status_code: 404, detail: "no such path" }));
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    if (refuseWith !== undefined) {
      const problem = JSON.stringify({ detail: "The fake refuses.", status_code: refuseWith });
      socket.end(`HTTP/1.1 ${refuseWith} Refused\r\nconnection: close\r\n\r\n${problem}`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      if (pathOf(request) === "/api/v1/browser/dashboard/relay") {
        for (const conversation of conversations) conversation.relayTo(webSocket);
        return;
      }
      const query = new URL(request.url ?? "/", "http://fake").searchParams;
      const resumedId = query.get("session_id");
      conversations.push(
        new FakeConversation({
          socket: webSocket,
          id: resumedId ?? `session-${conversations.length + 1}`,
          resumed: resumedId !== null,
          scenario: query.get("scenario") ?? undefined,
          agent: query.get("agent") ?? undefined,
          msPerCharacter,
        }),
      );
    });
  });
  await listen(server, port);
  return {
    origin: `http://127.0.0.1:${boundPort(server)}`,
    conversations,
    async close() {
      for (const client of sockets.clients) client.terminate();
      for (const conversation of conversations) conversation.close();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}

function boundPort(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("the fake service is not listening on a port");
  return address.port;
}

function pathOf(request: IncomingMessage): string {
  return new URL(request.url ?? "/", "http://fake").pathname;
}
