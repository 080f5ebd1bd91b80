/**
 * Phone calls with nothing faked on our side: the whole service, the real SDK, real sockets, speech spoken and recognised;
 * the telephone network and the person at the phone are the local ones. Rules: docs/calls.md.
 */
import { createServer } from "node:http";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import type { CallStatus } from "@voice/shared/state/ports/call-store";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import type { PhoneEvent } from "../../local/phone/phone-script.ts";
import { startLocalPhoneNetwork } from "../../local/phone-network.ts";
import type { PhoneNetwork, PhoneNetworkOptions } from "../../local/phone-network.ts";
import { startService } from "../../local/service.ts";
import type { Service } from "../../local/service.ts";
import { eventually } from "../support/wait.ts";

interface Rig extends AsyncDisposable {
  readonly network: PhoneNetwork;
  readonly service: Service;
  initiate(body: Readonly<Record<string, unknown>>): Promise<string>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  status(callId: string): Promise<CallStatus | undefined>;
}

const rigs: Rig[] = [];

afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig[Symbol.asyncDispose]()));
});

async function startRig(
  options: Partial<PhoneNetworkOptions> = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<Rig> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const network = await startLocalPhoneNetwork({ baseUrl, ...options });
  const settings = loadSettings({ PORT: `${port}`, ...network.environment, ...environment });
  const service = await startService({ settings, logger: silentLogger });
  await network.connect();
  const post: Rig["post"] = (path, body, headers = {}) =>
    fetch(`${baseUrl}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const rig: Rig = {
    network,
    service,
    post,
    async initiate(body) {
      const response = await post("/calls/initiate", body);
      return z.object({ call_id: z.string() }).parse(await response.json()).call_id;
    },
    status: async (callId) => (await service.state.calls.get(callId))?.status,
    async [Symbol.asyncDispose]() {
      await service.close(0);
      await network.close();
    },
  };
  rigs.push(rig);
  return rig;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function of<K extends PhoneEvent["kind"]>(kind: K, events: readonly PhoneEvent[]): Extract<PhoneEvent, { kind: K }>[] {
  return events.filter((event): event is Extract<PhoneEvent, { kind: K }> => event.kind === kind);
}

describe("an outbound call", () => {
  it("[OUT-1] rings, greets, answers what is said, and ends when the phone hangs up", async () => {
    const { network, service, initiate, status } = await startRig();
    const phone = network.expectCall({ actions: [{ kind: "say", text: "I want to check my balance" }] });
    const callId = await initiate({ target_number: phoneNumbers.person, context: { campaign: "spring" } });
    await phone.finished;

    expect(of("ringing", phone.events)).toEqual([
      { kind: "ringing", from: phoneNumbers.service, to: phoneNumbers.person },
    ]);
    const [greeting, answer] = of("heard", phone.events);
    expect(greeting?.forMs).toBeGreaterThan(3000);
    expect(answer?.answeredInMs).toBeLessThan(2500);
    expect(of("ended", phone.events)).toMatchObject([{ why: "the phone hung up" }]);

    await eventually(async () => (await status(callId)) === "disconnected", "the call ends in the record");
    const call = await service.state.calls.get(callId);
    const history = await service.state.sessions.history(call?.sessionId ?? "");
    expect(history.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      expect.stringContaining("assistant: Thank you for calling Harbor Bank"),
      "user: i want to check my balance",
      "assistant: Sure. Checking or savings?",
    ]);
    expect(network.emulator.requests.filter(({ operation }) => operation === "POST /calling/callConnections")).toEqual([
      { operation: "POST /calling/callConnections", status: 201 },
    ]);
  }, 60_000);

  it.each([
    ["busy", phoneNumbers.busy, "busy"],
    ["declined", phoneNumbers.declined, "declined"],
    ["to a number that nobody has", phoneNumbers.unknown, "pstn_number_invalid: the number does not exist"],
    ["to a number that the service refuses", phoneNumbers.invalid, "pstn_number_invalid"],
  ])(
    "[OUT-3] fails with its reason when it is %s",
    async (_what, number, reason) => {
      const { service, initiate, status } = await startRig();
      const callId = await initiate({ target_number: number });
      await eventually(async () => (await status(callId)) === "failed", "the call fails");
      expect((await service.state.calls.get(callId))?.failureReason).toBe(reason);
    },
    30_000,
  );

  it("[OUT-4] is given up after COMM_CALL_TIMEOUT when nobody picks up", async () => {
    const { service, network, initiate, status } = await startRig({}, { COMM_CALL_TIMEOUT: "5" });
    const callId = await initiate({ target_number: phoneNumbers.noAnswer });
    await eventually(async () => (await status(callId)) === "failed", "the call fails");
    expect((await service.state.calls.get(callId))?.failureReason).toBe("no answer");
    await network.emulator.calls[0]?.ended;
  }, 30_000);
});

describe("an inbound call", () => {
  it("[IN-1] is answered once however often it is delivered, and talked to", async () => {
    const { network, service } = await startRig({ incomingCallCopies: 3 });
    const phone = await network.call({ actions: [{ kind: "say", text: "I lost my card" }] });
    const heard = of("heard", phone.events);
    expect(heard).toHaveLength(2);
    const answers = network.emulator.requests.filter(({ operation }) => operation.endsWith(":answer"));
    expect(answers).toEqual([{ operation: "POST /calling/callConnections:answer", status: 200 }]);
    const { calls } = await service.state.calls.list({ offset: 0, limit: 10 });
    expect(calls).toHaveLength(1);
  }, 60_000);
});
