/** Webhooks to a real receiver, which fails at first and checks the signature by the specification. */
import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "@voice/local/emulators/listen";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createState } from "@voice/shared/state/create-state";
import { identityOf } from "@voice/shared/config/load-configuration";
import { noTelemetry } from "@voice/shared/telemetry/telemetry";
import { receiverOf } from "@voice/shared/webhooks/announced-state";
import { describe, expect, it, onTestFinished } from "vitest";
import { composeWebhooks } from "../../streaming-host/src/compose/webhooks.ts";
import { eventually } from "../support/wait.ts";

const key = Buffer.alloc(32, 3).toString("base64");
const loadCloud = () => import("@voice/shared/config/cloud");

async function startReceiver(statuses: number[]) {
  const received: { readonly id: unknown; readonly body: string; readonly isSigned: boolean }[] = [];
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = request.headers;
    const hmac = createHmac("sha256", Buffer.from(key, "base64")).update(`${String(id)}.${String(at)}.${body}`);
    received.push({ id, body, isSigned: signature === `v1,${hmac.digest("base64")}` });
    response.writeHead(statuses.shift() ?? 204, { location: "http://127.0.0.1:1/" }).end();
  }
  const server = await listen((request, response) => void receive(request, response));
  onTestFinished(() => server.close());
  return { host: server.host, received };
}

async function rig(environment: Readonly<Record<string, string>>) {
  const clock = new VirtualClock();
  const settings = loadSettings({ WEBHOOK_SECRETS: `whsec_${key}`, BASE_URL: "https://voice.example", ...environment });
  const identity = identityOf(settings, loadCloud);
  const state = await createState(settings, { clock, logger: silentLogger, identity });
  const host = { settings, random: Math.random, telemetry: noTelemetry, clock, logger: silentLogger };
  const sender = await composeWebhooks(host, state);
  onTestFinished(async () => {
    await sender?.close();
    await state.close();
  });
  async function endSession(): Promise<void> {
    const session = await state.sessions.create({
      sessionId: "session-1",
      channel: "browser",
      streamingMode: "REALTIME",
      scenario: "banking",
      activeAgent: "BankingConcierge",
      visitedAgents: [],
      status: "active",
      memory: {},
      createdAtMs: clock.wallNow(),
    });
    await state.sessions.update("session-1", session.version, { status: "ended", endReason: "caller_left" });
  }
  return { clock, state, endSession };
}

describe("webhooks", () => {
  it("[WEBHOOK-1] [WEBHOOK-4a] [WEBHOOK-4c] reach a receiver that fails, redirects and then accepts, signed each time", async () => {
    const { host, received } = await startReceiver([500, 302]);
    const { clock, state, endSession } = await rig({
      WEBHOOK_URLS: `http://${host}/voice`,
      WEBHOOK_PRIVATE_HOSTS: host,
    });
    await endSession();
    for (const [nth, pauseMs] of [0, 6000, 35_000].entries()) {
      // The answer to a request is real; what is between two of them is not.
      await clock.advanceAsync(pauseMs + 1000, 250);
      await eventually(() => received.length === nth + 1, `attempt ${nth + 1} is made`);
      await eventually(async () => {
        await clock.advanceAsync(1, 1);
        return clock.pendingTimers === 1;
      }, "the answer is heard");
    }
    await clock.advanceAsync(600_000, 1000);
    expect(received.map(({ isSigned }) => isSigned)).toEqual([true, true, true]);
    expect(new Set(received.map(({ id, body }) => `${String(id)} ${body}`)).size).toBe(1);
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({
      type: "session.ended",
      data: { transcript_url: expect.stringContaining("https://voice.example/api/v1/sessions/session-1/transcript?") },
    });
    expect(await state.webhooks.take(receiverOf(`http://${host}/voice`), 10, 1)).toEqual([]);
  });

  it("[WEBHOOK-6] are not sent to a private address, whatever name leads to it", async () => {
    const { host, received } = await startReceiver([]);
    const port = host.slice(host.lastIndexOf(":") + 1);
    const { clock, endSession } = await rig({ WEBHOOK_URLS: `https://localhost:${port}/,https://127.0.0.1:${port}/` });
    await endSession();
    await clock.advanceAsync(2000, 100);
    await eventually(async () => {
      await clock.advanceAsync(1, 1);
      return clock.pendingTimers === 2;
    }, "both were tried");
    expect(received).toEqual([]);
    expect(() => loadSettings({ WEBHOOK_SECRETS: `whsec_${key}`, WEBHOOK_URLS: `http://${host}/` })).toThrow(
      `${host} in WEBHOOK_PRIVATE_HOSTS`,
    );
  });
});
