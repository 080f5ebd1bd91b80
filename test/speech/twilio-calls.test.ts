/**
 * Phone calls at Twilio with the whole service, real sockets and speech that is spoken: Twilio and the person at the phone are the local ones.
 * Rules: docs/vendors/twilio.md, and those of docs/calls.md that hold for it.
 */
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { examine } from "@voice/local/doctor/examine";
import type { Environment } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import type { LogFields, Logger } from "@voice/shared/platform/logger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { eventually } from "../support/wait.ts";
import { eventsOf, startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";

const personNumber = "+12025550150";

const logLines: string[] = [];

/** Everything that is logged, at every level; errors with their causes. */
function keepLines(lines: string[]): Logger {
  const keep = (fields: LogFields, message: string): void => {
    lines.push(`${message} ${inspect(fields, { depth: 8 })}`);
  };
  return { debug: keep, info: keep, warn: keep, error: keep, child: () => keepLines(lines) };
}

let rig: PhoneRig;

beforeAll(async () => {
  rig = await startPhoneRig(
    { service: "twilio", logger: keepLines(logLines) },
    {
      COMM_CALL_TIMEOUT: "5",
      COMM_DESTINATIONS: `person=${personNumber}`,
      DEMO_ENABLED: "true",
      CATALOG_DIR: fileURLToPath(new URL("../fixtures/effects-catalog", import.meta.url)),
    },
  );
});

afterAll(async () => {
  await rig.close();
});

/** The newest call of this service. */
async function latest(direction: "inbound" | "outbound") {
  const { calls } = await rig.service.state.calls.list({ offset: 0, limit: 1, direction });
  const [newest] = calls;
  if (newest === undefined) throw new Error("there is no call");
  return newest.call;
}

describe("an inbound call", () => {
  it("[TWILIO-1a] rings until a host answers it, is talked to, and ends when the phone hangs up", async () => {
    const phone = await rig.network.call({ actions: [{ kind: "say", text: "I lost my card" }] });
    expect(eventsOf("heard", phone.events)).toHaveLength(2);
    const { callId } = await latest("inbound");
    await rig.hasStatus(callId, "disconnected");
    expect(await rig.spokenInAll(callId)).toContain("user: i lost my card");
    expect(rig.network.twilio.calls.at(-1)?.streams.flatMap(({ faults }) => faults)).toEqual([]);
  });
});

describe("an outbound call", () => {
  it("[TWILIO-1a] rings, greets, answers what is said, and ends when the phone hangs up", async () => {
    const phone = rig.network.expectCall({ actions: [{ kind: "say", text: "I want to check my balance" }] });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await phone.finished;
    await rig.hasStatus(callId, "disconnected");
    expect(await rig.spokenInAll(callId)).toEqual([
      expect.stringContaining("assistant: Hello, this is Harbor Bank"),
      "user: i want to check my balance",
      "assistant: Sure. Checking or savings?",
    ]);
  });

  it.each([
    ["busy", phoneNumbers.busy, "busy"],
    ["declined", phoneNumbers.declined, "declined"],
    ["to a number that nobody has", phoneNumbers.unknown, "pstn_number_invalid"],
    ["to a number that Twilio refuses", phoneNumbers.invalid, "pstn_number_invalid"],
  ])("[TWILIO-5] fails, and GET /calls/ says why, when it is %s", async (_what, number, code) => {
    const callId = await rig.initiate({ target_number: number });
    await eventually(async () => (await rig.call(callId)).failureCode === code, "the reason is reported");
    expect(await rig.shown(callId)).toMatchObject({ status: "failed", failure: { code } });
  });

  it("[TWILIO-5] is given up after COMM_CALL_TIMEOUT when nobody picks up", async () => {
    const callId = await rig.initiate({ target_number: phoneNumbers.noAnswer });
    await rig.hasStatus(callId, "failed");
    expect((await rig.call(callId)).failureCode).toBe("no_answer");
    const placed = rig.network.twilio.calls.find(({ to }) => to === phoneNumbers.noAnswer);
    await placed?.isFree;
  });

  it("[TWILIO-1a] is hung up by the service when the agent has said goodbye", async () => {
    const phone = rig.network.expectCall({ actions: [{ kind: "say", text: "Goodbye" }], staysOnTheLine: true });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await phone.finished;
    expect(eventsOf("ended", phone.events)).toMatchObject([{ why: "the service hung up" }]);
    await rig.hasStatus(callId, "disconnected");
  });
});

describe("a transfer", () => {
  const wantsPerson = [{ kind: "say", text: "I want to talk to a person" }] as const;

  it("[TWILIO-7b] puts the caller through to a person, after saying so", async () => {
    const phone = rig.network.expectCall({ actions: wantsPerson, staysOnTheLine: true });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await rig.hasStatus(callId, "connected");
    const person = rig.network.expectCall({ actions: [] });
    await phone.finished;
    expect(eventsOf("ringing", person.events)).toMatchObject([{ from: phoneNumbers.service, to: personNumber }]);
    expect((await rig.spokenInAll(callId)).at(-1)).toContain("connecting you to a person");
    expect(await rig.log(callId)).toContain("CallTransferAccepted");
  });

  it("[TWILIO-7a] gives the caller back to the agent when nobody takes the call", async () => {
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

describe("what else is done to a call", () => {
  it("[TWILIO-6b] lets the caller interrupt, and knows what was heard although Twilio plays it late", async () => {
    rig.network.twilio.delayMs = 600;
    const phone = rig.network.expectCall({
      actions: [
        { kind: "say", text: "I lost my card" },
        { kind: "say", text: "Goodbye" },
      ],
      interruptAfterMs: 400,
    });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await phone.finished;
    rig.network.twilio.delayMs = 0;
    const spoken = await rig.spokenInAll(callId);
    const placed = rig.network.twilio.calls.at(-1);
    expect(placed?.streams[0]?.clears ?? 0).toBeGreaterThan(0);
    // The answer is stored as far as it was heard: half a second of it.
    const answer = spoken[spoken.indexOf("user: i lost my card") + 1] ?? "";
    expect(answer).toMatch(/^assistant: \w+/);
    expect(answer.length).toBeLessThan(40);
  });

  it("[TWILIO-1a] takes the keys that the caller presses", async () => {
    const phone = rig.network.expectCall({
      actions: [
        { kind: "say", text: "send me a code" },
        { kind: "press", keys: "705318#" },
      ],
    });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await phone.finished;
    expect((await rig.spokenInAll(callId)).some((said) => said.includes("705318"))).toBe(true);
  });

  it("[TWILIO-9] has the keys pressed that the agent sends, and hears the caller again afterwards", async () => {
    const phone = rig.network.expectCall({
      actions: [
        { kind: "say", text: "please press a key" },
        { kind: "say", text: "tell me a story" },
      ],
    });
    const callId = await rig.initiate({ target_number: phoneNumbers.person, scenario: "effects" });
    await phone.finished;
    expect(eventsOf("keys-heard", phone.events)).toMatchObject([{ keys: "1" }]);
    expect(await rig.spokenInAll(callId)).toEqual([
      "assistant: What can I do for you?",
      "user: please press a key",
      "assistant: I have pressed it.",
      "user: tell me a story",
      expect.stringContaining("assistant: Once upon a time"),
    ]);
    expect(rig.network.twilio.calls.at(-1)?.streams).toHaveLength(2);
    expect(await rig.log(callId)).toContain("SendDtmfTonesCompleted");
  });

  it("[TWILIO-8] puts the caller on hold, who hears music until the time is over", async () => {
    const phone = rig.network.expectCall({
      actions: [{ kind: "say", text: "please put me on hold for six seconds" }],
      staysOnTheLine: true,
    });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await rig.hasStatus(callId, "on_hold");
    await eventually(
      async () => (await rig.spoken(callId)).at(-1)?.includes("Thank you for holding") === true,
      "the caller is back",
    );
    expect((await rig.call(callId)).status).toBe("connected");
    await rig.hangUp(callId);
    await phone.finished;
    await rig.hasStatus(callId, "disconnected");
  });

  it("[TWILIO-10a] goes on where it was when its stream breaks", async () => {
    const phone = rig.network.expectCall({
      actions: [
        { kind: "say", text: "I want to check my balance" },
        { kind: "say", text: "I lost my card" },
      ],
      staysOnTheLine: true,
    });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await eventually(async () => (await rig.spoken(callId)).length >= 3, "the agent has asked");
    const placed = rig.network.twilio.calls.at(-1);
    placed?.stream?.break();
    await eventually(async () => placed?.streams.length === 2, "Twilio opens another stream");
    await eventually(
      async () => (await rig.spoken(callId)).some((said) => said === "user: i lost my card"),
      "the caller is heard again",
    );
    const greetings = (await rig.spoken(callId)).filter((said) => said.includes("Hello, this is Harbor Bank"));
    expect(greetings).toHaveLength(1);
    await rig.hangUp(callId);
    await phone.finished;
  });

  it("[TWILIO-11] takes Twilio's word for a machine, and hangs up on it where the call asks for that", async () => {
    const callId = await rig.initiate({ target_number: phoneNumbers.machine, voicemail: "hang-up" });
    await rig.hasStatus(callId, "disconnected");
    expect((await rig.call(callId)).answeredBy).toBe("machine");
    const log = await rig.service.state.calls.events(callId);
    expect(log.find(({ type }) => type === "voicemail.detected")?.details).toMatchObject({ evidence: "service" });
  });
});

describe("[TWILIO-4] a media stream", () => {
  const address = (token: string): string => `ws://127.0.0.1:${rig.service.port}/api/v1/twilio/stream/${token}`;

  function open(token: string, isSigned = true): WebSocket {
    const url = address(token);
    const signature = rig.network.twilio.webhooks.signatureOf(url);
    return new WebSocket(url, isSigned ? { headers: { "x-twilio-signature": signature } } : {});
  }

  it("is refused without Twilio's signature, and with a token that is nobody's or was used", async () => {
    const phone = rig.network.expectCall({ actions: [], staysOnTheLine: true });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await rig.hasStatus(callId, "connected");
    const token = await rig.service.state.telephoneLines.issueToken(callId);
    await expect(once(open(token, false), "open")).rejects.toThrow("401");
    await expect(once(open("nobodys"), "open")).rejects.toThrow("403");
    const first = open(token);
    await once(first, "open");
    await expect(once(open(token), "open")).rejects.toThrow("403");
    // Its first message names a call that the token is not for.
    const { accountSid } = rig.network.twilio;
    const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 };
    const start = { streamSid: "MZ1", accountSid, callSid: `CA${"f".repeat(32)}`, mediaFormat };
    first.send(JSON.stringify({ event: "start", start }));
    const [code] = await once(first, "close");
    expect(code).toBe(1008);
    expect((await rig.call(callId)).status).toBe("connected");
    await rig.hangUp(callId);
    await phone.finished;
  });
});

describe("the doctor", () => {
  async function findings(change: Environment = {}) {
    const found = await examine({ ...rig.network.environment, ...change }, systemClock);
    const ofTwilio = found.filter(({ name }) => name.includes("Twilio"));
    return Object.fromEntries(ofTwilio.map(({ name, ok, detail, advice }) => [name, { ok, detail, advice }]));
  }

  it("finds that Twilio knows us, its number leads here, and what it signs is believed", async () => {
    expect(await findings()).toEqual({
      Twilio: { ok: true, detail: "knows us, and no such call" },
      "number at Twilio": { ok: true, detail: "leads here" },
      "Twilio's reports": { ok: true, detail: "are taken at BASE_URL, with our signature" },
      "Twilio's streams": { ok: true, detail: "would be taken, with our signature" },
    });
  });

  it("says which settings to compare where Twilio and the apps have another auth token, and repeats none", async () => {
    const wrongToken = "f".repeat(32);
    const found = await findings({ TWILIO_AUTH_TOKEN: wrongToken });
    expect(found).toMatchObject({
      Twilio: { ok: false, advice: expect.stringContaining("TWILIO_AUTH_TOKEN") },
      "number at Twilio": { ok: false },
      "Twilio's reports": { ok: false, detail: "answered 401", advice: expect.stringContaining("TWILIO_AUTH_TOKEN") },
      "Twilio's streams": { ok: false, advice: expect.stringContaining("TWILIO_AUTH_TOKEN") },
    });
    expect(JSON.stringify(found)).not.toContain(wrongToken);
  });

  it("says where the number's calls go instead, and what is missing to know their end sooner", async () => {
    const { twilio, environment } = rig.network;
    const other = "+12025550177";
    const ofOther = async () => (await findings({ COMM_PHONE_NUMBER: other }))["number at Twilio"];
    expect(await ofOther()).toMatchObject({ ok: false, detail: "is none of the account's" });
    twilio.configureNumber(other, "https://demo.twilio.com/welcome/voice/");
    expect(await ofOther()).toMatchObject({
      ok: false,
      detail: "sends its calls elsewhere",
      advice: expect.stringContaining(`${environment["BASE_URL"]}/api/v1/calls/twilio/voice`),
    });
    twilio.configureNumber(other, `${environment["BASE_URL"]}/api/v1/calls/twilio/voice`);
    expect(await ofOther()).toMatchObject({ ok: true, detail: expect.stringContaining("Call status changes") });
  });

  it("finds that streams do not reach a host", async () => {
    expect(await findings({ STREAMING_HOST_URL: "ws://127.0.0.1:1" })).toMatchObject({
      "Twilio's streams": { ok: false, advice: expect.stringContaining("STREAMING_HOST_URL") },
    });
  });
});

it("[TWILIO-14] nothing of all this has put a number or a token into the log, or a number into an address", () => {
  const { authToken, webhooks } = rig.network.twilio;
  const secrets = [authToken, ...Object.values(phoneNumbers), personNumber];
  expect(logLines.length).toBeGreaterThan(0);
  expect(logLines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
  expect(webhooks.sent.map(({ url }) => url).filter((url) => /202555|%2B|\+/.test(url))).toEqual([]);
});
