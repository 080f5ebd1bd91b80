import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { freePort } from "./free-port.ts";

describe("a free port", () => {
  it("is below those that the system gives to outgoing connections", async () => {
    expect(await freePort()).toBeLessThan(32_768);
  });

  it("is given to nobody else, though nobody listens at it yet", async () => {
    const given = await Promise.all(Array.from({ length: 200 }, freePort));
    expect(new Set(given).size).toBe(given.length);
  });

  it("is not given to another process before this one ends", async () => {
    const mine = await freePort();
    const other = `const claim = require("node:dgram").createSocket("udp4");
      claim.on("error", (error) => { console.log(error.code); claim.close(); });
      claim.bind({ port: ${String(mine)}, address: "127.0.0.1", exclusive: true });`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", other]);
    expect(stdout.trim()).toBe("EADDRINUSE");
  });

  it("can be listened at", async () => {
    const port = await freePort();
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
    await new Promise((resolve) => server.close(resolve));
    expect(port).toBeGreaterThan(0);
  });
});
