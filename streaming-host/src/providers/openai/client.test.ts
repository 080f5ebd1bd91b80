import { once } from "node:events";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { silentLogger } from "@voice/shared/platform/logger";
import { systemClock } from "@voice/shared/platform/clock";
import { expect, it } from "vitest";
import { createClient } from "./client.ts";

it("reads no answer that does not end", async () => {
  const megabyte = Buffer.alloc(1024 * 1024, "x");
  let sentMegabytes = 0;
  // One line of a stream, which the vendor's client keeps whole.
  const line = function* () {
    for (; sentMegabytes < 64; sentMegabytes += 1) yield megabyte;
  };
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    Readable.from(line())
      .on("error", () => undefined)
      .pipe(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const client = createClient(
    { endpoint: `http://127.0.0.1:${port}/v1`, credential: { kind: "none" } },
    { clock: systemClock, logger: silentLogger },
  );
  const chunks = await client.chat.completions.create({ model: "m", messages: [], stream: true });
  await expect(chunks[Symbol.asyncIterator]().next()).rejects.toThrow("terminated");
  expect(sentMegabytes).toBeLessThan(32);
  server.closeAllConnections();
  server.close();
});
