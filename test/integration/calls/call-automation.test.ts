/** What every telephone service has to do behind the port, tried on each of them over its own protocol, with a phone that is picked up. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { toTwiml } from "@voice/shared/calls/twilio/twiml";
import { VoiceError } from "@voice/shared/platform/errors";
import { systemClock } from "@voice/shared/platform/clock";
import { AzureCallAutomation } from "@voice/streaming-host/providers/azure/call-automation/call-automation";
import { TwilioCallAutomation } from "@voice/streaming-host/providers/twilio/call-automation";
import { TwilioRestClient } from "@voice/streaming-host/providers/twilio/rest-client";
import type { CallAutomation, PlaceCall } from "@voice/provider-kit/ports/call-automation";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { startCommEmulator } from "../../../local/emulators/comm/emulator.ts";
import { listen } from "../../../local/emulators/listen.ts";
import { readBody } from "../../../local/emulators/read-body.ts";
import { startTwilioEmulator } from "../../../local/emulators/twilio/emulator.ts";
import type { Handset, Line } from "../../../local/phone/handset.ts";
import { eventually } from "../../support/wait.ts";

const number = "+12025550123";
const ours = "+12025550100";
const invalid = "+12025550199";

interface Service {
  readonly automation: CallAutomation;
  /** As call control places a call: with a record. Resolves with the service's id of it. */
  place(call: PlaceCall): Promise<string>;
  /** The same service, and credentials that it does not know. */
  readonly asStranger: CallAutomation;
  /** Somebody calls our number. Resolves with what the service names the ringing call. */
  ring(caller: Handset): Promise<string>;
  /** The next request is carried out, and its answer is lost. */
  loseNextAnswer(): void;
  /** So much time goes by. */
  pass(ms: number): void;
  close(): Promise<void>;
}

const unobserved = { worked: () => undefined, failed: () => undefined };
const nowhere = { callbackUrl: "http://127.0.0.1:9/callbacks", mediaUrl: "ws://127.0.0.1:9/media" };

async function startAzure(directory: (to: string) => Handset | "invalid"): Promise<Service> {
  const emulator = await startCommEmulator({ directory });
  const contexts: string[] = [];
  const delivery = z.array(z.object({ eventType: z.string(), data: z.looseObject({}) }));
  const deliver = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const events = delivery.parse(JSON.parse((await readBody(request, 65_536)).toString()));
    for (const { data } of events)
      if (typeof data["incomingCallContext"] === "string") contexts.push(data["incomingCallContext"]);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ validationResponse: events[0]?.data["validationCode"] }));
  };
  const server = await listen((request, response) => void deliver(request, response));
  const as = (connectionString: string): CallAutomation =>
    new AzureCallAutomation({
      access: { connectionString },
      maxAttempts: 1,
      requestTimeoutMs: 5000,
      health: unobserved,
    });
  const automation = as(emulator.connectionString);
  const [endpoint] = emulator.connectionString.split(";");
  return {
    automation,
    place: async (call) => (await automation.place(call)).callConnectionId,
    asStranger: as(`${endpoint};accesskey=${Buffer.alloc(32).toString("base64")}`),
    async ring(caller) {
      await emulator.subscribe(`http://${server.host}/`);
      await emulator.dial(number, ours, caller);
      await eventually(async () => contexts.length > 0, "the call is announced");
      return contexts[0] ?? "";
    },
    loseNextAnswer: () => emulator.loseNextAnswers(1),
    pass: () => undefined,
    async close() {
      await emulator.close();
      await server.close();
    },
  };
}

async function startTwilio(directory: (to: string) => Handset | "invalid"): Promise<Service> {
  const emulator = await startTwilioEmulator({ directory });
  const state = createMemoryState({ clock: systemClock });
  const { telephoneLines: lines } = state;
  let aheadMs = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sid = new URLSearchParams((await readBody(request, 65_536)).toString()).get("CallSid") ?? "";
    const wait = toTwiml({ name: "Pause", attributes: { length: 60 } });
    response.end(request.url === "/" ? await lines.instructions(sid, 5000) : wait);
  };
  const server = await listen((request, response) => void answer(request, response));
  const as = (authToken: string): CallAutomation => {
    const { url: apiUrl, accountSid } = emulator;
    return new TwilioCallAutomation({
      client: new TwilioRestClient({ apiUrl, accountSid, authToken, requestTimeoutMs: 5000 }),
      state,
      settings: {
        baseUrl: `http://${server.host}`,
        streamingHostUrl: undefined,
        commCallTimeoutMs: 5000,
        twilioMachineDetection: false,
      },
      wallNow: () => Date.now() + aheadMs,
      health: unobserved,
    });
  };
  const automation = as(emulator.authToken);
  return {
    automation,
    async place(call) {
      const { callConnectionId } = await automation.place(call);
      // Calls are found by their record, which call control writes.
      if ((await state.calls.getByConnection(callConnectionId)) === undefined)
        await state.calls.create({ ...newCall(call.callId, Date.now()), callConnectionId });
      return callConnectionId;
    },
    asStranger: as("0".repeat(32)),
    async ring(caller) {
      emulator.configureNumber(ours, `http://${server.host}/`);
      return (await emulator.dial(number, ours, caller)).sid;
    },
    loseNextAnswer: () => emulator.loseNextAnswers(1),
    pass: (ms) => {
      aheadMs += ms;
    },
    async close() {
      await emulator.close();
      await server.close();
      await state.close();
    },
  };
}

describe.each([
  ["Azure Communication Services", startAzure],
  ["Twilio", startTwilio],
])("the call automation of %s", (_name, start) => {
  let service: Service;
  let rung: string[];
  let keysHeard: string;
  let endings: string[];
  let lines: Line[];

  const phone: Handset = {
    async ring({ to }) {
      rung.push(to);
      return "answered";
    },
    talk(line) {
      lines.push(line);
      return {
        onAudio: () => undefined,
        onStopAudio: () => undefined,
        onKeys: (keys) => {
          keysHeard += keys;
        },
        onEnded: (why) => endings.push(why),
      };
    },
  };

  beforeEach(async () => {
    [rung, keysHeard, endings, lines] = [[], "", [], []];
    service = await start((to) => (to === invalid ? "invalid" : phone));
  });

  afterEach(async () => {
    await service.close();
  });

  function call(change: Partial<PlaceCall> = {}): PlaceCall {
    return {
      repetition: { id: "place:call-1", firstSentAtMs: Date.now() },
      callId: "call-1",
      targetNumber: number,
      callerNumber: ours,
      ...nowhere,
      // Somebody who is only told something needs no stream.
      ...change,
    };
  }

  async function connected(): Promise<string> {
    const callConnectionId = await service.place(call());
    await eventually(async () => lines.length > 0, "the phone is picked up");
    return callConnectionId;
  }

  async function refusal(work: Promise<unknown>): Promise<string> {
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error instanceof VoiceError ? `${error.code}${error.retryable ? " retryable" : ""}` : String(error);
  }

  it("places a call, says where it stands, and ends it for whoever is in it", async () => {
    const { automation } = service;
    const callConnectionId = await service.place(call());
    await eventually(async () => (await automation.stateOf(callConnectionId)) === "connected", "the call is connected");
    expect(rung).toEqual([number]);
    await automation.hangUp({ repetition: { id: "end", firstSentAtMs: Date.now() }, callConnectionId });
    await eventually(async () => endings.length > 0, "the phone is silent");
    expect(await automation.stateOf(callConnectionId)).toBe("gone");
  });

  it("[TWILIO-13] rings once if the answer was lost and the request is repeated", async () => {
    const first = call();
    service.loseNextAnswer();
    expect(await refusal(service.place(first))).toMatch(/retryable$/);
    await eventually(async () => rung.length === 1, "the phone rings");
    service.pass(2000);
    const callConnectionId = await service.place(first);
    expect(await service.automation.stateOf(callConnectionId)).not.toBe("gone");
    expect(rung).toHaveLength(1);
  });

  it("blames a number that cannot be called, and our credentials where they are wrong", async () => {
    expect(await refusal(service.automation.place(call({ targetNumber: invalid })))).toBe("pstn_number_invalid");
    expect(await refusal(service.asStranger.place(call()))).toBe("upstream_unavailable");
    expect(rung).toEqual([]);
  });

  it("knows no call that is not there, and has no doubt about it", async () => {
    const { automation } = service;
    const callConnectionId = `CA${"0".repeat(32)}`;
    expect(await automation.stateOf(callConnectionId)).toBe("gone");
    const repetition = { id: "end", firstSentAtMs: Date.now() };
    expect(await refusal(automation.hangUp({ repetition, callConnectionId }))).toBe("call_not_found");
    expect(await automation.participantsOf(callConnectionId).catch(() => [])).toEqual([]);
  });

  it("answers a call that rings, and the caller hears that we are busy where it is rejected", async () => {
    const { automation } = service;
    const repetition = { id: "answer:call-2", firstSentAtMs: Date.now() };
    const incomingCallContext = await service.ring(phone);
    const answered = await automation.answer({ repetition, callId: "call-2", incomingCallContext, ...nowhere });
    await eventually(async () => lines.length === 1, "the call is picked up");
    expect(answered.callConnectionId).not.toBe("");
    expect(automation.answerWithinMs).toBeGreaterThan(10_000);
  });

  it("[TWILIO-9] presses keys at the other end", async () => {
    const callConnectionId = await connected();
    const repetition = { id: "keys:1", firstSentAtMs: Date.now() };
    const keys = { repetition, callConnectionId, digits: "1234#", to: number, operationContext: "keys:1" };
    await service.automation.sendDigits(keys);
    await eventually(async () => keysHeard === "1234#", "the keys are heard");
  });

  it("sends a call to somebody else, who is rung", async () => {
    const callConnectionId = await connected();
    const target = "+12025550150";
    const repetition = { id: "transfer:1", firstSentAtMs: Date.now() };
    const operationContext = "transfer:1";
    await service.automation.transfer({
      repetition,
      callConnectionId,
      target,
      callerNumber: ours,
      operationContext,
      context: { Reason: "cards" },
    });
    await eventually(async () => rung.includes(target), "the other phone rings");
    await eventually(async () => lines.length === 2, "the two are connected");
  });

  it("is asked again later where nobody is there, or nobody answers in time", async () => {
    const { automation } = service;
    await service.close();
    expect(await refusal(automation.stateOf("CA1"))).toBe("upstream_unavailable retryable");
  });
});
