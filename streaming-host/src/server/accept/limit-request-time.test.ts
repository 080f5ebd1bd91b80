import { once } from "node:events";
import { createServer } from "node:http";
import { createConnection } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { requestTimes } from "./limit-request-time.ts";

/** Node has no other clock than the system's. */
const hundredth = Object.fromEntries(Object.entries(requestTimes).map(([name, ms]) => [name, ms / 100]));

it.each([
  ["headers", "GET / HTTP/1.1\r\nX-Slow: "],
  ["body", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"],
])("A peer that does not go on with its %s is answered with 408 and closed", async (_, beginning) => {
  const server = createServer(hundredth).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const peer = createConnection(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  peer.write(beginning);
  expect(await text(peer)).toMatch(/^HTTP\/1\.1 408 /);
  server.close();
});
