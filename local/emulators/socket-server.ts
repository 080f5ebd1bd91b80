/**
 * What all emulated WebSocket services share before their own protocols begin: accepting, refusing or ignoring an
 * upgrade.
 */
import { STATUS_CODES } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "@voice/shared/platform/clock";
import { WebSocketServer } from "ws";
import type { RawData, WebSocket } from "ws";
import type { Fault } from "./fault.ts";
import type { FaultySocketOptions } from "./faulty-socket.ts";
import { listen } from "./listen.ts";

export type SocketServerOptions<Phase extends string> = {
  readonly port: number | undefined;
  readonly clock: Clock;
  /** The status to refuse the handshake with, if it is refused. */
  readonly refusal: (request: IncomingMessage, url: URL) => number | undefined;
  readonly accept: (socket: WebSocket, options: FaultySocketOptions<Phase>) => void;
};

export type SocketServer<Phase extends string> = {
  readonly host: string;
  /** Takes over an upgrade request that arrived at another server. */
  readonly upgrade: (request: IncomingMessage, stream: Duplex, head: Buffer) => void;
  /** Includes refused connections. */
  handshakes(): number;
  /**
   * One fault for each of the next connections, or of those to matching addresses; `undefined` lets one through
   * unharmed.
   */
  fail(faults: readonly (Fault<Phase> | undefined)[], isMeant?: (url: URL) => boolean): void;
  close(): Promise<void>;
};

export async function startSocketServer<Phase extends string>(
  options: SocketServerOptions<Phase>,
): Promise<SocketServer<Phase>> {
  const { refusal, accept, clock } = options;
  const planned: { readonly fault: Fault<Phase> | undefined; readonly isMeant: (url: URL) => boolean }[] = [];
  const hanging = new Set<Duplex>();
  let handshakes = 0;
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const listening = await listen((_request, response) => {
    response.statusCode = 404;
    response.end();
  }, options.port);

  const upgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    handshakes++;
    const url = new URL(request.url ?? "/", `ws://${listening.host}`);
    const index = planned.findIndex(({ isMeant }) => isMeant(url));
    const fault = index === -1 ? undefined : planned.splice(index, 1)[0]?.fault;
    stream.on("error", () => stream.destroy());
    if (fault?.kind === "hang") {
      hanging.add(stream);
      stream.on("close", () => hanging.delete(stream));
      return;
    }
    const status = fault?.kind === "refuse" ? fault.status : refusal(request, url);
    if (status !== undefined) {
      stream.end(
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Refused"}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on("error", () => socket.terminate());
      accept(socket, { url, headers: request.headers, fault, clock });
    });
  };
  listening.server.on("upgrade", upgrade);

  return {
    upgrade,
    host: listening.host,
    handshakes: () => handshakes,
    fail: (faults, isMeant = () => true) => {
      planned.push(...faults.map((fault) => ({ fault, isMeant })));
    },
    close: async () => {
      for (const stream of hanging) stream.destroy();
      for (const socket of sockets.clients) socket.terminate();
      await listening.close();
    },
  };
}

export function toBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
