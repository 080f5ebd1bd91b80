/**
 * What a caller keys in may be the number of a card. It is followed through whole calls, on a phone and through a telephony
 * platform, into everything that the service writes, exports and sends; it stands where docs/security.md says, and
 * nowhere else.
 */
import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { listen } from "@voice/local/emulators/listen";
import { startLocalRealtimeService } from "@voice/local/realtime-service";
import { loadSettings } from "@voice/shared/config/load";
import { identityOf } from "@voice/shared/config/load-configuration";
import { createLogger } from "@voice/shared/platform/logger";
import { loadTelemetry } from "@voice/shared/telemetry/load-telemetry";
import type { RunningTelemetry } from "@voice/shared/telemetry/telemetry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import type { PhoneAction } from "../../local/phone/phone-script.ts";
import { builtInCatalog } from "../support/built-in-catalog.ts";
import { startOtlpReceiver } from "../support/otlp-receiver.ts";
import type { OtlpReceiver } from "../support/otlp-receiver.ts";
import { eventsOf, startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";
import { servicesSpeech } from "../support/speech-engines.ts";
import { testClock } from "../support/test-clock.ts";
import { eventually } from "../support/wait.ts";

const card = "4929716352840173";
/** It answers a question, and becomes the argument of a tool. */
const code = "705318";
const keyed = [card, code];

const withKeys = [
  "sessions/{id}",
  "sessions/{id}/transcript",
  "sessions/{id}/flight-record",
  "sessions/{id}/messages",
  "sessions/{id}/model-requests",
  "sessions/{id}/recording/transcript",
  "sessions/{id}/recording/captions",
];
const withoutKeys = ["sessions/{id}/metrics", "sessions", "calls/", "agents", "readiness", "system"];

const actions: readonly PhoneAction[] = [
  { kind: "say", text: "send me a code" },
  { kind: "press", keys: `${code}#` },
  { kind: "press", keys: `${card}#` },
];

const parts = new AsyncDisposableStack();
const lines: string[] = [];
const sent: string[] = [];
/** A receiver of webhooks. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  sent.push(await text(request));
  response.writeHead(204).end();
}

let receiver: OtlpReceiver;
let telemetry: RunningTelemetry;
let rig: PhoneRig;

beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "keys-"));
  parts.defer(() => rmSync(folder, { recursive: true }));
  receiver = parts.use(await startOtlpReceiver());
  const hooks = await listen((request, response) => void receive(request, response));
  parts.defer(() => hooks.close());
  const realtime = await startLocalRealtimeService(
    [...(await builtInCatalog()).agents.values()],
    testClock,
    servicesSpeech,
  );
  parts.defer(() => realtime.close());
  const settings = loadSettings({ TELEMETRY: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  telemetry = await loadTelemetry(
    {
      settings,
      name: "voice",
      version: "1",
      exportsLogs: true,
      identity: identityOf(settings, () => import("@voice/shared/config/cloud")),
    },
    () => import("@voice/shared/telemetry/open-telemetry/start-open-telemetry"),
  );
  const logger = createLogger({
    level: "debug",
    name: "test",
    destination: { write: (line: string) => void lines.push(line) },
    also: telemetry.log,
  });
  rig = await startPhoneRig(
    { telemetry, logger, platformKey: { apiKey: "bG9jYWw=" } },
    {
      ...realtime.environment,
      AGENT_SCENARIO: "banking",
      TELEPHONY_API_KEY: "bG9jYWw=",
      RECORDING_ENABLED: "true",
      RECORDING_DIR: folder,
      FLIGHT_RECORDER: "true",
      WEBHOOK_URLS: `http://${hooks.host}/`,
      WEBHOOK_PRIVATE_HOSTS: hooks.host,
      WEBHOOK_SECRETS: `whsec_${Buffer.alloc(32, 3).toString("base64")}`,
    },
  );
});

afterAll(() => parts.disposeAsync());

async function get(target: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${rig.service.port}/api/v1/${target}`)).text();
}

const isKeyed = (output: string): boolean => keyed.some((number) => output.includes(number));

async function callOnPhone() {
  const phone = rig.network.expectCall({ actions });
  const callId = await rig.initiate({ target_number: phoneNumbers.person, record_call: true });
  await phone.finished;
  return { phone, sessionId: (await rig.call(callId)).sessionId };
}

async function callThroughPlatform() {
  const phone = await rig.network.callThroughPlatform({ actions });
  const [latest] = (await rig.service.state.sessions.list({ limit: 1, offset: 0 })).sessions;
  return { phone, sessionId: latest?.sessionId ?? expect.fail("no session was stored") };
}

describe("what a caller keys in", () => {
  it.each([
    ["a phone", callOnPhone],
    ["a telephony platform", callThroughPlatform],
  ])("[TURN-9a] on %s stands where the words of the conversation are kept, and nowhere else", async (_where, call) => {
    sent.length = 0;
    const { phone, sessionId } = await call();
    expect(eventsOf("pressed", phone.events)).toHaveLength(2);
    await eventually(() => sent.some((body) => body.includes("session.ended")), "the receiver of webhooks is told");
    await eventually(async () => (await get(`sessions/${sessionId}`)).includes('"complete"'), "the recording is whole");

    const answers = await Promise.all(
      [...withKeys, ...withoutKeys].map((asked) => get(asked.replace("{id}", sessionId))),
    );
    const found = [...withKeys, ...withoutKeys].filter((_asked, at) => isKeyed(answers[at] ?? ""));
    expect(found).toEqual(withKeys);
    expect(isKeyed(JSON.stringify(await rig.service.state.hosts.list()))).toBe(false);
    expect(sent.filter(isKeyed)).toEqual([]);
  });

  it("is in no line of the log, and in nothing that is exported", async () => {
    await rig.close();
    await telemetry.close();
    expect(lines.filter(isKeyed)).toEqual([]);
    expect(isKeyed(receiver.text())).toBe(false);
    expect(receiver.spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["call", "turn", "execute_tool verify_code"]),
    );
    expect(receiver.metrics.size).toBeGreaterThan(10);
    expect(receiver.logs.length).toBeGreaterThan(0);
  });
});
