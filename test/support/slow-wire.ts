/**
 * A TCP proxy that delays every byte, and the end, in both directions. It counts round trips: the delay is longer than what a client sends
 * in one go takes, so a chunk of the client's that comes after one of the server's belongs to the next trip.
 */
import { connect, createServer, type Socket } from "node:net";

export interface SlowWire {
  readonly port: number;
  /** Round trips that clients have begun so far. */
  readonly roundTrips: () => number;
  close(): Promise<void>;
}

export function startSlowWire(targetPort: number, oneWayMs: number): Promise<SlowWire> {
  const sockets = new Set<Socket>();
  let roundTrips = 0;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: targetPort, host: "127.0.0.1", allowHalfOpen: true });
    let isAnswered = true;
    near.on("data", () => {
      if (isAnswered) roundTrips += 1;
      isAnswered = false;
    });
    far.on("data", () => (isAnswered = true));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on("data", (chunk) => setTimeout(() => to.write(chunk), oneWayMs));
      from.on("end", () => setTimeout(() => to.end(), oneWayMs));
      from.on("close", () => setTimeout(() => to.destroy(), oneWayMs));
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
        roundTrips: () => roundTrips,
        close: () =>
          new Promise((closed) => {
            for (const socket of sockets) socket.destroy();
            server.close(() => closed());
          }),
      });
    });
  });
}
