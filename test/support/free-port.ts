import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port of 127.0.0.1 for a server whose address has to be known before it listens, or that goes away and comes back. It is no one else's
 * until this process ends: the system gives it to no outgoing connection, which it gives ports from 32768 on, and no other test is given it.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = firstPort + Math.floor(Math.random() * ports);
    if ((await isClaimed(port)) && (await canBeListenedAt(port))) return port;
  }
  throw new Error("no port is free");
}

const firstPort = 20_000;
const ports = 12_000;

/** UDP has ports of its own. To hold the one of the same number is a claim that only one process can have, and that ends with the process. */
async function isClaimed(port: number): Promise<boolean> {
  const claim = createSocket("udp4").unref();
  claim.bind({ port, address: "127.0.0.1", exclusive: true });
  return becomes(claim, "listening");
}

async function canBeListenedAt(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  if (!(await becomes(server, "listening"))) return false;
  server.close();
  await once(server, "close");
  return true;
}

/** False where the port is somebody else's. */
async function becomes(socket: NodeJS.EventEmitter, state: string): Promise<boolean> {
  try {
    await once(socket, state);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return false;
    throw error;
  }
}
