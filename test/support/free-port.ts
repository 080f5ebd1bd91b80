import { createServer } from "node:net";

/** For servers whose address has to be known before they listen. */
export function freePort(): Promise<number> {
  return listenOnce(0);
}

/**
 * For servers that go away and come back: not one of the ports that the system gives to outgoing connections (from 32768
 * on), of which any may take it meanwhile.
 */
export async function lastingPort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = firstLastingPort + Math.floor(Math.random() * lastingPorts);
    const found = await listenOnce(port).catch(() => undefined);
    if (found !== undefined) return found;
  }
  throw new Error("no port is free");
}

const firstLastingPort = 20_000;
const lastingPorts = 12_000;

async function listenOnce(wanted: number): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(wanted, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
