/**
 * A load balancer for connections: each connection goes to the next backend in turn that accepts it. It can fail as networks
 * do, which is what a single backend behind it is for.
 */
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";

export interface TcpBalancer {
  readonly port: number;
  /** The port of the backend that took the latest connection. */
  readonly latest: number | undefined;
  /** Breaks every connection, and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  /**
   * Nothing more comes through the connections that are open, in either direction, and neither end is told: half-open sockets,
   * as a router leaves them that has forgotten its connections. New ones work.
   */
  freeze(): void;
  /** Nothing comes through the connections that are open until `flow`, and then all of it at once, as when packets were lost. */
  stall(): void;
  flow(): void;
  close(): Promise<void>;
}

export async function startTcpBalancer(backends: readonly number[]): Promise<TcpBalancer> {
  const sockets = new Set<Socket>();
  /** Of frozen connections: what one end does is not told to the other. */
  const frozen = new WeakSet<Socket>();
  const open = new Map<Socket, Socket>();
  let isCut = false;
  let turn = 0;
  let latest: number | undefined;

  function tryNext(client: Socket, attemptsLeft: number): void {
    const port = backends[turn % backends.length];
    turn += 1;
    if (port === undefined || attemptsLeft === 0) {
      client.destroy();
      return;
    }
    const backend = connect(port, "127.0.0.1");
    sockets.add(backend);
    let isOpen = false;
    backend.once("connect", () => {
      isOpen = true;
      latest = port;
      open.set(client, backend);
      client.pipe(backend);
      backend.pipe(client);
    });
    backend.on("error", () => undefined);
    backend.on("close", () => {
      sockets.delete(backend);
      open.delete(client);
      if (frozen.has(backend)) return;
      if (isOpen) client.destroy();
      else tryNext(client, attemptsLeft - 1);
    });
    client.on("close", () => {
      if (!frozen.has(client)) backend.destroy();
    });
  }

  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    sockets.add(client);
    client.on("error", () => undefined);
    client.on("close", () => sockets.delete(client));
    tryNext(client, backends.length);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the balancer has no port");
  return {
    port: address.port,
    get latest() {
      return latest;
    },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    freeze() {
      for (const socket of sockets) {
        frozen.add(socket);
        socket.unpipe();
        socket.pause();
      }
    },
    stall() {
      for (const socket of [...open.keys(), ...open.values()]) {
        socket.unpipe();
        socket.pause();
      }
    },
    flow() {
      for (const [client, backend] of open) {
        client.pipe(backend);
        backend.pipe(client);
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
