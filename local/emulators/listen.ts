/** A loopback HTTP server that is really gone when it is closed. */
import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";

export type Listening = {
  readonly server: Server;
  readonly port: number;
  /** `127.0.0.1:port`, to put a scheme in front of. */
  readonly host: string;
  close(): Promise<void>;
};

const loopback = "127.0.0.1";

/** Port 0 takes a free one. */
export async function listen(handler: RequestListener, port = 0): Promise<Listening> {
  const server = createServer({ noDelay: true }, handler);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, loopback, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no TCP address");
  let closing: Promise<void> | undefined;
  return {
    server,
    port: address.port,
    host: `${loopback}:${address.port}`,
    close() {
      closing ??= new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      return closing;
    },
  };
}
