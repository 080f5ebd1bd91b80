import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { answerProbe } from "./probes.ts";

const build = { version: "1.2.3", commit: "abc" };

async function ask(path: string, isDraining: boolean) {
  const server = createServer((request, response) => answerProbe(request, response, { host: { isDraining }, build }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, body: await response.json() };
  } finally {
    server.close();
  }
}

describe("what a platform asks a streaming host", () => {
  it("is answered with the build while the process lives, draining or not", async () => {
    for (const isDraining of [false, true])
      expect(await ask("/healthz", isDraining)).toEqual({ status: 200, body: { status: "ok", ...build } });
  });

  it("is told to send no new sockets while the host drains", async () => {
    expect(await ask("/readyz?probe=1", false)).toMatchObject({ status: 200 });
    expect(await ask("/readyz", true)).toEqual({ status: 503, body: { draining: true } });
  });

  it("finds nothing elsewhere", async () => {
    expect(await ask("/", false)).toMatchObject({ status: 404 });
  });
});
