/** A TCP proxy that delays every byte in both directions, so that a test can count round trips with a watch. */
import { connect, createServer, type Socket } from "node:net";

export interface SlowWire {
  readonly port: number;
  close(): Promise<void>;
}

export function startSlowWire(targetPort: number, oneWayMs: number): Promise<SlowWire> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(targetPort, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on("data", (chunk) => setTimeout(() => to.write(chunk), oneWayMs));
      from.on("close", () => to.destroy());
      from.on("error", () => to.destroy());
    }
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") {
        reject(new Error("no port"));
        return;
      }
      resolve({
        port: address.port,
        close: () =>
          new Promise((closed) => {
            for (const socket of sockets) socket.destroy();
            server.close(() => closed());
          }),
      });
    });
  });
}
