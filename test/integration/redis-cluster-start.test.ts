/** The cluster of the tests does not start as a whole: it leaves nothing running, because nobody else would end it. */
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisCluster } from "../support/redis-cluster.ts";

/** Whether anybody listens. */
function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

describe.skipIf(!isRedisAvailable())("a redis cluster of which one node does not start", () => {
  it("leaves none of the others running", async () => {
    const busPort = await freePort();
    // The nodes are given the same port for talking to each other, so that only the first of them starts.
    const starting = startRedisCluster({ withReplicas: false, args: ["--cluster-port", `${busPort}`] });
    await expect(starting).rejects.toThrow(/redis-server on port \d+ ended with 1/);
    expect(await isTaken(busPort)).toBe(false);
  });
});
