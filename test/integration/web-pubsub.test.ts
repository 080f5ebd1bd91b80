/** Live updates that also go to Azure Web PubSub, against a server that takes what the official client sends. */
import { createServer } from "node:http";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { systemClock } from "@voice/shared/platform/clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { connectBrowser } from "../support/browser-client.ts";
import { startTestHost } from "../support/test-host.ts";
import { eventually } from "../support/wait.ts";

interface Received {
  readonly path: string;
  readonly authorization: string;
  readonly type: string;
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function startPubSub(answer: "accepts" | "hangs") {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { type } = z.object({ type: z.string() }).parse(JSON.parse(Buffer.concat(chunks).toString()));
      received.push({
        path: request.url?.split("?", 1)[0] ?? "",
        authorization: request.headers.authorization ?? "",
        type,
      });
      if (answer === "accepts") response.writeHead(202).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  cleanups.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const key = Buffer.from("a key of sufficient length for the token").toString("base64");
  return { received, connectionString: `Endpoint=http://127.0.0.1:${address.port};AccessKey=${key};Version=1.0;` };
}

async function converse(connectionString: string) {
  const state = createMemoryState({ clock: systemClock });
  const host = await startTestHost({ state, settings: { CLOUD_WEBPUBSUB_CONNECTION_STRING: connectionString } });
  cleanups.push(() => host.close());
  const browser = await connectBrowser(host.url("/api/v1/browser/conversation"));
  cleanups.push(() => browser.close());
  return browser;
}

it("copies what a session is told to its own group and to the group of everything, signed", async () => {
  const { received, connectionString } = await startPubSub("accepts");
  const browser = await converse(connectionString);
  await browser.ask("hello");
  const group = (name: string) => `/api/hubs/voice/groups/${name}/:send`;
  await eventually(
    () => received.some(({ path, type }) => path === group(browser.sessionId) && type === "transcript"),
    "the transcript arrives",
  );
  const mine = received.filter(({ path }) => path === group(browser.sessionId)).map(({ type }) => type);
  const everything = received.filter(({ path }) => path === group("!all")).map(({ type }) => type);
  expect(everything).toEqual(expect.arrayContaining(mine.slice(0, -1)));
  expect(mine[0]).toBe("session");
  expect(received.every(({ authorization }) => authorization.startsWith("Bearer "))).toBe(true);
});

it("does not hold up a conversation when the service takes nothing", async () => {
  const { connectionString } = await startPubSub("hangs");
  const browser = await converse(connectionString);
  const startedAtMs = performance.now();
  expect(await browser.ask("hello")).toBe("You said hello.");
  expect(performance.now() - startedAtMs).toBeLessThan(5000);
});
