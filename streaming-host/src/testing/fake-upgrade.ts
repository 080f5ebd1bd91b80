/** Upgrade requests to a streaming host without a network, and their answers. */
import { IncomingMessage } from "node:http";
import { Socket as NetSocket } from "node:net";
import { Duplex } from "node:stream";
import type { UpgradeRequest, Upgrader } from "../server/accept/upgrade.ts";
import type { Socket } from "../transports/socket.ts";
import { FakeSocket } from "./fake-socket.ts";

export function fakeRequest(url: string, headers: Readonly<Record<string, string>> = {}): IncomingMessage {
  const request = new IncomingMessage(new NetSocket());
  request.url = url;
  request.headers = { host: "host.example", ...headers };
  return request;
}

/** The connection under a request, until it becomes a socket. */
export class FakePeerStream extends Duplex {
  answer = "";

  override _read(): void {
    // A peer that waits for its answer sends nothing.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.answer += chunk.toString();
    done();
  }

  /** Undefined while there is no answer, or if the connection has become a socket. */
  get status(): number | undefined {
    return this.answer === "" ? undefined : Number(this.answer.split(" ", 2)[1]);
  }
}

export class FakeUpgrader implements Upgrader {
  readonly sockets: FakeSocket[] = [];
  isClosed = false;

  upgrade(_asked: UpgradeRequest, onSocket: (socket: Socket) => void): void {
    const socket = new FakeSocket();
    this.sockets.push(socket);
    onSocket(socket);
  }

  close(): void {
    this.isClosed = true;
  }
}
