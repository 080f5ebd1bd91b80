import { once } from "node:events";
import { createServer } from "node:http";
import type { OutgoingHttpHeaders } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { AzureCallAutomation } from "./call-automation.ts";

/** The real SDK, with a service that refuses its first requests with these headers and takes the next one. */
async function startRig(headers: OutgoingHttpHeaders, refusals: number, status = 429) {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    requests += 1;
    if (requests <= refusals) response.writeHead(status, headers).end();
    else response.writeHead(200, { "content-type": "application/json" }).end('{"callConnectionState":"connected"}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const automation = new AzureCallAutomation({
    access: { connectionString: `endpoint=http://127.0.0.1:${port}/;accesskey=a2V5` },
    maxAttempts: 2,
    requestTimeoutMs: 5000,
    health: { worked: () => undefined, failed: () => undefined },
  });
  return { automation, requests: () => requests };
}

it.each([
  { "retry-after": "3600" },
  { "retry-after-ms": "3600000" },
  { "x-ms-retry-after-ms": "60000" },
  { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() },
])("[REASON-11] a refusal for longer than a request may take is reported at once: %o", async (headers) => {
  const { automation, requests } = await startRig(headers, 10);
  // After a wait it would be the time-out of the request.
  await expect(automation.stateOf("connection")).rejects.toMatchObject({ code: "rate_limited", retryable: true });
  expect(requests()).toBe(1);
});

it("[REASON-11] a refusal for a moment is waited for", async () => {
  const { automation, requests } = await startRig({ "retry-after-ms": "20" }, 1);
  expect(await automation.stateOf("connection")).toBe("connected");
  expect(requests()).toBe(2);
});

it("[REASON-11] a service that is away for an hour is asked again as if it had not said for how long", async () => {
  const { automation, requests } = await startRig({ "retry-after": "3600" }, 1, 503);
  expect(await automation.stateOf("connection")).toBe("connected");
  expect(requests()).toBe(2);
});
