/** A server that is there and cannot be used is refused at the start, in one line. */
import { createServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";

/** Answers what a client asks when it connects, as that version of Redis does. */
async function startServerOfVersion(version: string): Promise<{ readonly server: Server; readonly port: number }> {
  const text = (value: string): string => `$${value.length}\r\n${value}\r\n`;
  const answers: Readonly<Record<string, string>> = {
    hello: `%2\r\n${text("version")}${text(version)}${text("mode")}${text("standalone")}`,
    info: text(`redis_version:${version}`),
    cluster: "-ERR This instance has cluster support disabled\r\n",
  };
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      for (const [, command = ""] of data.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g))
        socket.write(answers[command.toLowerCase()] ?? "+OK\r\n");
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { server, port: address.port };
}

describe("a redis server that is too old", () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.close();
  });

  it("ends the start with a line that says so", async () => {
    const started = await startServerOfVersion("6.0.14");
    server = started.server;
    const endpoint = {
      host: "127.0.0.1",
      port: started.port,
      tls: undefined,
      authentication: { type: "none" },
      connectionTimeoutMs: 2000,
      operationTimeoutMs: 2000,
      maxConnections: 5,
    } as const;
    const opening = openRedisState(endpoint, { clock: systemClock, logger: silentLogger });
    await expect(opening).rejects.toMatchObject({
      name: "ConfigurationError",
      message: expect.stringContaining(
        "CACHE_HOST: the cache needs Redis 6.2 or newer, and the server says it is 6.0.14",
      ),
    });
  });
});
