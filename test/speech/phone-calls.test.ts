/**
 * Phone calls with the whole service, the real SDK, real sockets and speech that is spoken, and recognised by what remembers it;
 * the telephone network and the person at the phone are the local ones. Rules: docs/calls.md.
 */
import { once } from "node:events";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { connectBrowser } from "../support/browser-client.ts";
import { eventually } from "../support/wait.ts";
import { testClock } from "../support/test-clock.ts";
import { eventsOf, startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";

const personNumber = "+12025550150";

let rig: PhoneRig;

beforeAll(async () => {
  // Three deliveries of every incoming call and two of every callback, some of which come a little late: the conversation
  // must not notice.
  rig = await startPhoneRig(
    { incomingCallCopies: 3, deliveryFaults: { copies: 2, missed: ["CallConnected", "ParticipantsUpdated"] } },
    {
      COMM_CALL_TIMEOUT: "5",
      COMM_DESTINATIONS: `person=${personNumber}`,
    },
  );
});

afterAll(async () => {
  await rig.close();
});

function requests(operation: string): number {
  return rig.network.emulator.requests.filter((request) => request.operation === operation).length;
}

describe("an outbound call", () => {
  it("[OUT-1] [CB-2] rings, greets, answers what is said, and ends when the phone hangs up", async () => {
    const phone = rig.network.expectCall({ actions: [{ kind: "say", text: "I want to check my balance" }] });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await phone.finished;

    expect(eventsOf("ringing", phone.events)).toEqual([
      { kind: "ringing", from: phoneNumbers.service, to: phoneNumbers.person },
    ]);
    const [greeting, answer] = eventsOf("heard", phone.events);
    console.log(`greeting audible ${Math.round(greeting?.answeredInMs ?? 0)} ms after the phone was picked up`);
    expect(greeting?.forMs).toBeGreaterThan(3000);
    expect(greeting?.answeredInMs).toBeLessThan(5000); // 0.3 to 1 s where the machine has time
    expect(answer?.answeredInMs).toBeLessThan(8000);
    expect(eventsOf("ended", phone.events)).toMatchObject([{ why: "the phone hung up" }]);

    await rig.hasStatus(callId, "disconnected");
    expect(await rig.spokenInAll(callId)).toEqual([
      expect.stringContaining("assistant: Hello, this is Harbor Bank"),
      "user: i want to check my balance",
      "assistant: Sure. Checking or savings?",
    ]);
    expect(requests("POST /calling/callConnections")).toBe(1);
  });

  it.each([
    ["busy", phoneNumbers.busy, "busy"],
    ["declined", phoneNumbers.declined, "declined"],
    ["to a number that nobody has", phoneNumbers.unknown, "pstn_number_invalid"],
    ["to a number that the service refuses", phoneNumbers.invalid, "pstn_number_invalid"],
  ])("[OUT-3a] fails, and GET /calls/ says why, when it is %s", async (_what, number, code) => {
    const callId = await rig.initiate({ target_number: number });
    // The service reports the end of the call first, and why it failed after that.
    await eventually(async () => (await rig.call(callId)).failureCode === code, "the reason is reported");
    expect(await rig.shown(callId)).toMatchObject({
      status: "failed",
      failure: { code, reason: expect.stringMatching(/./) },
      events: expect.arrayContaining([
        expect.objectContaining({ details: expect.objectContaining({ failure: code }) }),
      ]),
    });
  });

  it("[OUT-4] is given up after COMM_CALL_TIMEOUT when nobody picks up", async () => {
    const callId = await rig.initiate({ target_number: phoneNumbers.noAnswer });
    await rig.hasStatus(callId, "failed");
    expect((await rig.call(callId)).failureReason).toBe("no answer");
    await rig.network.emulator.calls.find(({ to }) => to === phoneNumbers.noAnswer)?.ended;
  });

  it("[END-1] is ended by POST /calls/terminate while it rings", async () => {
    const callId = await rig.initiate({ target_number: phoneNumbers.noAnswer });
    await rig.hasStatus(callId, "ringing");
    const { status } = await rig.post("/calls/terminate", { call_id: callId });
    expect(status).toBe(200);
    await rig.hasStatus(callId, "failed");
    expect((await rig.call(callId)).failureCode).toBe("cancelled");
  });

  it("[END-3] is hung up by the service when the agent has said goodbye", async () => {
    const phone = rig.network.expectCall({
      actions: [{ kind: "say", text: "Goodbye" }],
      staysOnTheLine: true,
    });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await phone.finished;
    expect(eventsOf("heard", phone.events)).toHaveLength(2);
    expect(eventsOf("ended", phone.events)).toMatchObject([{ why: "the service hung up" }]);
    await rig.hasStatus(callId, "disconnected");
  });
});

describe("a media socket", () => {
  function connect(call: CallRecord, token: string): WebSocket {
    const connectionId = call.callConnectionId ?? "";
    return new WebSocket(`ws://127.0.0.1:${rig.service.port}/api/v1/media/stream?call_connection_id=${connectionId}`, {
      headers: { authorization: `Bearer ${token}`, "x-ms-call-connection-id": connectionId },
    });
  }

  it("[MEDIA-4] replaces the one before it, and needs the service's token", async () => {
    const phone = rig.network.expectCall({ actions: [], staysOnTheLine: true });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await rig.hasStatus(callId, "connected");
    const call = await rig.call(callId);
    const emulated = rig.network.emulator.calls.find(({ id }) => id === call.callConnectionId);

    const stranger = connect(call, "not-a-token");
    await expect(once(stranger, "open")).rejects.toThrow("401");
    expect(emulated?.streams.interruptions).toEqual([]);

    const second = connect(call, await rig.network.emulator.tokens.issue("1m"));
    await once(second, "open");
    await eventually(() => emulated?.streams.interruptions.includes(4409) === true, "the first socket is replaced");
    second.close();
    emulated?.hangUp("phone");
    await phone.finished;
  });
});

describe("an agent's effect on the call", () => {
  const wantsPerson = [{ kind: "say", text: "I want to talk to a person" }] as const;

  it("[EFFECT-1] [EFFECT-2a] transfers to a person, after saying so", async () => {
    const phone = rig.network.expectCall({ actions: wantsPerson, staysOnTheLine: true });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await rig.hasStatus(callId, "connected");
    const person = rig.network.expectCall({ actions: [] });
    await phone.finished;
    expect(eventsOf("ringing", person.events)).toMatchObject([{ from: phoneNumbers.person, to: personNumber }]);
    expect(eventsOf("heard", phone.events)).toHaveLength(2);
    expect((await rig.spokenInAll(callId)).at(-1)).toContain("connecting you to a person");
    await rig.hasStatus(callId, "disconnected");
    const log = await rig.service.state.calls.events(callId);
    expect(log.filter(({ type }) => type.endsWith("CallTransferAccepted"))).toHaveLength(1);
    expect(requests("POST /calling/callConnections/{id}:transferToParticipant")).toBe(1);
  });

  it("[EFFECT-4] says that nobody took the call, and goes on", async () => {
    // The other phone rings until COMM_CALL_TIMEOUT; nothing may be said before the agent has told how it went.
    const phone = rig.network.expectCall({
      actions: [...wantsPerson, { kind: "listen" }, { kind: "say", text: "I want to check my balance" }],
    });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await rig.hasStatus(callId, "connected");
    rig.network.expectCall({ actions: [], pickUpAfterMs: 60_000 });
    await phone.finished;
    expect((await rig.spokenInAll(callId)).slice(-3)).toEqual([
      expect.stringMatching(/^assistant: I am sorry/),
      "user: i want to check my balance",
      "assistant: Sure. Checking or savings?",
    ]);
  });
});

describe("an inbound call", () => {
  it("[IN-1] [IN-2] is answered once however often it is delivered, and talked to", async () => {
    const before = requests("POST /calling/callConnections:answer");
    const phone = await rig.network.call({ actions: [{ kind: "say", text: "I lost my card" }] });
    expect(eventsOf("heard", phone.events)).toHaveLength(2);
    expect(requests("POST /calling/callConnections:answer") - before).toBe(1);
    const { calls } = await rig.service.state.calls.list({ offset: 0, limit: 50 });
    const [inbound, ...others] = calls.filter(({ call }) => call.direction === "inbound");
    expect(others).toEqual([]);
    const { connectedAtMs = Infinity, createdAtMs = 0 } = inbound?.call ?? {};
    console.log(`answered ${connectedAtMs - createdAtMs} ms after the first delivery`);
    expect(connectedAtMs - createdAtMs).toBeLessThan(5000);
    expect(await rig.spokenInAll(inbound?.call.callId ?? "")).toContain("user: i lost my card");
  });

  it("[ROUTE-7] takes another scenario once a table of routes is published, and so do browsers", async () => {
    const routes = [
      { number: phoneNumbers.service, scenario: "insurance" },
      { channel: "browser", scenario: "banking" },
    ];
    const published = { note: "Insurance answers", route_table: { version: 0, routes } };
    expect((await rig.post("/releases", published)).status).toBe(200);
    await rig.network.call({ actions: [{ kind: "say", text: "hello" }] });
    const { calls } = await rig.service.state.calls.list({ offset: 0, limit: 50 });
    const routed = calls.find(({ call }) => call.release === 1)?.call;
    expect(await rig.service.state.sessions.get(routed?.sessionId ?? "")).toMatchObject({
      scenario: "insurance",
      release: 1,
    });
    const browser = await connectBrowser(`ws://127.0.0.1:${rig.service.port}/api/v1/browser/conversation`);
    await browser.ask("hello");
    expect(await rig.service.state.sessions.get(browser.sessionId)).toMatchObject({ scenario: "banking", release: 1 });
    await browser.close();
    await rig.service.state.releases.setLive([{ version: 0, share: 100 }], await rig.service.state.releases.live());
  });
});

describe("a callback", () => {
  it("[CB-1a] is refused without the service's token", async () => {
    const event = { id: "1", type: "Microsoft.Communication.CallConnected", data: { callConnectionId: "x" } };
    expect((await rig.post("/calls/callbacks", [event])).status).toBe(401);
    const stranger = await rig.network.emulator.tokens.issue("-1m");
    expect((await rig.post("/calls/callbacks", [event], { authorization: `Bearer ${stranger}` })).status).toBe(401);
  });

  async function deliver(type: string, data: Readonly<Record<string, unknown>>): Promise<void> {
    const event = { id: `${type}-${JSON.stringify(data)}`, type: `Microsoft.Communication.${type}`, data };
    const authorization = `Bearer ${await rig.network.emulator.tokens.issue("5m")}`;
    expect((await rig.post("/calls/callbacks", [event], { authorization })).status).toBe(200);
  }

  it("[CB-3] that comes late leaves the call ended, one that comes early finds it by its context", async () => {
    const { callId } = await rig.service.state.calls.create({
      callId: "call-of-the-callback-test",
      status: "initiating",
      direction: "outbound",
      targetNumber: phoneNumbers.person,
      context: {},
      streamingMode: "MEDIA",
      recording: false,
      participants: [],
      sessionId: "session-of-the-callback-test",
      createdAtMs: testClock.wallNow(),
    });
    await deliver("ParticipantsUpdated", { callConnectionId: "early-1", operationContext: callId, participants: [] });
    expect((await rig.call(callId)).callConnectionId).toBe("early-1");
    await deliver("CallDisconnected", { callConnectionId: "early-1" });
    await deliver("CallConnected", { callConnectionId: "early-1" });
    // Nobody had answered when it ended.
    expect((await rig.call(callId)).status).toBe("failed");
  });

  it("[CB-4] for a call that is not ours changes nothing and is not sent again", async () => {
    const event = { id: "2", type: "Microsoft.Communication.CallConnected", data: { callConnectionId: "not-ours" } };
    const authorization = `Bearer ${await rig.network.emulator.tokens.issue("5m")}`;
    const response = await rig.post("/calls/callbacks", [event], { authorization });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ processed_events: 0, failed_events: 1 });
  });
});
