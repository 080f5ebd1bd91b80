/** The vendor's SDK through our adapter, against a server that checks what the real one checks. */
import { VoiceError } from "@voice/shared/platform/errors";
import { AzureCallAutomation } from "@voice/streaming-host/providers/azure/call-automation/call-automation";
import { ServiceHealth } from "@voice/streaming-host/providers/call-service-health";
import type { CallAutomation, PlaceCall } from "@voice/provider-kit/ports/call-automation";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startCommEmulator } from "../../../local/emulators/comm/emulator.ts";
import type { CommEmulator } from "../../../local/emulators/comm/emulator.ts";
import { listen } from "../../../local/emulators/listen.ts";
import type { Handset } from "../../../local/phone/handset.ts";
import { eventually } from "../../support/wait.ts";

const number = "+12025550123";
const invalidNumber = "+12025550199";

let emulator: CommEmulator;
let automation: CallAutomation;
let keysHeard: string;

const phone: Handset = {
  ring: async () => "answered",
  talk: () => ({
    onAudio: () => undefined,
    onStopAudio: () => undefined,
    onKeys: (keys) => {
      keysHeard += keys;
    },
    onEnded: () => undefined,
  }),
};

beforeEach(async () => {
  keysHeard = "";
  phone.ring = async () => "answered";
  emulator = await startCommEmulator({ directory: (to) => (to === invalidNumber ? "invalid" : phone) });
  automation = new AzureCallAutomation({
    access: { connectionString: emulator.connectionString },
    maxAttempts: 3,
    requestTimeoutMs: 5000,
    health: unobserved,
  });
});

afterEach(async () => {
  await emulator.close();
});

const unobserved = { worked: () => undefined, failed: () => undefined };

function call(change: Partial<PlaceCall> = {}): PlaceCall {
  return {
    repetition: { id: "place:call-1", firstSentAtMs: 0 },
    callId: "call-1",
    targetNumber: number,
    callerNumber: "+12025550100",
    // Nobody listens there: what the service makes of that is not this test's business.
    callbackUrl: "http://127.0.0.1:9/callbacks",
    mediaUrl: "ws://127.0.0.1:9/media",
    stream: { kind: "audio", sampleRateHz: 16_000 },
    ...change,
  };
}

async function connectedCall(change: Partial<PlaceCall> = {}): Promise<string> {
  const { callConnectionId } = await automation.place(call(change));
  await eventually(() => emulator.calls[0]?.state === "connected", "the phone is picked up");
  return callConnectionId;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof VoiceError ? `${error.code}${error.retryable ? " retryable" : ""}` : String(error);
}

describe("the call automation adapter", () => {
  it("signs its requests so that the service accepts them, and nobody else's", async () => {
    await automation.place(call());
    const [endpoint] = emulator.connectionString.split(";");
    const stranger = new AzureCallAutomation({
      access: { connectionString: `${endpoint};accesskey=${Buffer.alloc(32).toString("base64")}` },
      maxAttempts: 1,
      requestTimeoutMs: 5000,
      health: unobserved,
    });
    expect(await codeOf(stranger.place(call({ repetition: { id: "other", firstSentAtMs: 0 } })))).toBe(
      "upstream_unavailable",
    );
    expect(emulator.calls).toHaveLength(1);
  });

  it("tells whether the service does what it is asked, because a key that is refused concerns every call", async () => {
    const failures: string[] = [];
    const health = new ServiceHealth(Date.now, ({ message }) => failures.push(message));
    const observed = new AzureCallAutomation({
      access: { connectionString: emulator.connectionString },
      maxAttempts: 1,
      requestTimeoutMs: 5000,
      health,
    });
    emulator.refuseNext(401);
    expect(await codeOf(observed.place(call()))).toBe("upstream_unavailable");
    expect(health.problem).toBe("the communication service does not accept our key or identity");
    expect(failures).toEqual(["placing a call failed with 401"]);
    expect(await observed.stateOf("no-such-call")).toBe("gone");
    expect(health.problem).toBeUndefined();
  });

  it("signs them with the time that it is given, because the service refuses those of a machine whose clock is wrong", async () => {
    const signedAt = (aheadMs: number) =>
      new AzureCallAutomation({
        access: { connectionString: emulator.connectionString },
        maxAttempts: 1,
        requestTimeoutMs: 5000,
        health: unobserved,
        wallNow: () => Date.now() + aheadMs,
      });
    expect(await codeOf(signedAt(600_000).place(call()))).toBe("upstream_unavailable");
    expect(emulator.calls).toEqual([]);
    await signedAt(240_000).place(call());
    expect(emulator.calls).toHaveLength(1);
  });

  it("[OUT-2] places one call when the answer is lost and when another process asks again", async () => {
    emulator.loseNextAnswers(1);
    const first = await automation.place(call());
    const otherProcess = new AzureCallAutomation({
      access: { connectionString: emulator.connectionString },
      maxAttempts: 1,
      requestTimeoutMs: 5000,
      health: unobserved,
    });
    expect(await otherProcess.place(call())).toEqual(first);
    expect(emulator.calls).toHaveLength(1);
    expect(emulator.repetitions).toBe(2);
  });

  it("[OUT-2] [ONCE-3] is known by the time of the first request as well as by its id", async () => {
    const first = await automation.place(call());
    const later = { id: "place:call-1", firstSentAtMs: 60_000 };
    expect(await automation.place(call({ repetition: later }))).not.toEqual(first);
  });

  it("[SERVICE-1] gives up a request that the service does not answer in time", async () => {
    const impatient = new AzureCallAutomation({
      access: { connectionString: emulator.connectionString },
      maxAttempts: 3,
      requestTimeoutMs: 200,
      health: unobserved,
    });
    const held = emulator.holdNext("POST /calling/callConnections", "not carried out");
    expect(await codeOf(impatient.place(call()))).toBe("upstream_timeout retryable");
    await held;
  });

  it("[END-9] says that a ringing call cannot be ended yet, where the service says so", async () => {
    emulator.refuseToEndRingingCalls();
    phone.ring = () => new Promise(() => undefined);
    const { callConnectionId } = await automation.place(call());
    const repetition = { id: "hang-up:call-1", firstSentAtMs: 0 };
    expect(await codeOf(automation.hangUp({ repetition, callConnectionId }))).toBe("conflict retryable");
  });

  it("[LOST-2] says where a call stands", async () => {
    const callConnectionId = await connectedCall();
    expect(await automation.stateOf(callConnectionId)).toBe("connected");
    emulator.calls[0]?.hangUp("phone");
    expect(await automation.stateOf(callConnectionId)).toBe("gone");
  });

  it("tries again what may work later, and tells when it does not", async () => {
    emulator.refuseNext(503, 503);
    await automation.place(call());
    emulator.refuseNext(503, 503, 503);
    expect(await codeOf(automation.place(call({ repetition: { id: "second", firstSentAtMs: 0 } })))).toBe(
      "upstream_unavailable retryable",
    );
  });

  it("tells an invalid number, a call that is over and a refusal apart", async () => {
    expect(await codeOf(automation.place(call({ targetNumber: invalidNumber })))).toBe("pstn_number_invalid");
    expect(
      await codeOf(automation.hangUp({ repetition: { id: "h", firstSentAtMs: 0 }, callConnectionId: "gone" })),
    ).toBe("call_not_found");
    emulator.refuseNext(403);
    expect(await codeOf(automation.place(call({ repetition: { id: "third", firstSentAtMs: 0 } })))).toBe(
      "upstream_unavailable",
    );
  });

  it("sends the digits that it was given", async () => {
    const callConnectionId = await connectedCall();
    await automation.sendDigits({
      repetition: { id: "d", firstSentAtMs: 0 },
      callConnectionId,
      digits: "0123456789*#AbCd",
      to: number,
      operationContext: "d",
    });
    expect(keysHeard).toBe("0123456789*#ABCD");
    const wrong = automation.sendDigits({
      repetition: { id: "e", firstSentAtMs: 0 },
      callConnectionId,
      digits: "1x",
      to: number,
      operationContext: "e",
    });
    expect(await codeOf(wrong)).toBe("validation_error");
  });

  it.each([
    "+12025550150",
    "sip:claims@pbx.example.com",
    "8:acs:resource_user",
    "8:orgid:00000000-0000-4000-8000-000000000001",
    "28:orgid:00000000-0000-4000-8000-000000000002",
  ])("transfers to %s", async (target) => {
    const callConnectionId = await connectedCall();
    await automation.transfer({
      repetition: { id: "t", firstSentAtMs: 0 },
      callConnectionId,
      target,
      callerNumber: "+12025550100",
      operationContext: "transfer:call-1:0",
      context: {
        Reason: "The caller asked\nfor a person, and this sentence is longer than a header may be in the end.",
      },
    });
    await emulator.calls[0]?.ended;
    expect(emulator.calls[0]?.state).toBe("disconnected");
  });

  it("cuts the reason of a transfer before a sign that would be longer than a header may be", async () => {
    const callConnectionId = await connectedCall();
    await automation.transfer({
      repetition: { id: "t", firstSentAtMs: 0 },
      callConnectionId,
      target: "sip:claims@pbx.example.com",
      callerNumber: "+12025550100",
      operationContext: "transfer:call-1:0",
      context: { Reason: `${"x".repeat(62)}\u{1F600}` },
    });
    await emulator.calls[0]?.ended;
    expect(emulator.calls[0]?.state).toBe("disconnected");
  });

  it("[EFFECT-7a] [EFFECT-7b] holds the far end and takes it back", async () => {
    const callConnectionId = await connectedCall();
    const held = { callConnectionId, to: number };
    const audioUrl = "https://audio.example.com/hold.wav";
    await automation.hold({ ...held, operationContext: "hold:call-1:0", audioUrl });
    expect(emulator.calls[0]?.isOnHold).toBe(true);
    await automation.unhold(held);
    expect(emulator.calls[0]?.isOnHold).toBe(false);
    expect(await codeOf(automation.hold({ ...held, to: "+12025550199", operationContext: "x" }))).toBe(
      "pstn_number_invalid",
    );
  });

  it("[EFFECT-14a] [EFFECT-14c] [ONCE-3] silences a phone that it rings, once, and removes a person who picked it up", async () => {
    const listener = await listen((request, response) => void request.resume().on("end", () => response.end()));
    onTestFinished(() => listener.close());
    const callConnectionId = await connectedCall({ callbackUrl: `http://${listener.host}/callbacks` });
    const [running] = emulator.calls;
    const target = "+12025550150";
    const phones: { readonly pickUp: () => void; readonly signal: AbortSignal }[] = [];
    phone.ring = (_call, signal) =>
      new Promise((resolve) => {
        phones.push({ pickUp: () => resolve("answered"), signal });
      });
    const invite = (id: string) => {
      const repetition = { id, firstSentAtMs: 0 };
      const who = { target, callerNumber: "+12025550100", context: {} };
      return automation.addParticipant({ repetition, callConnectionId, ...who, timeoutMs: 1000, operationContext: id });
    };
    const cancel = async (id: string): Promise<void> => {
      const { invitationId = "" } = await invite(id); // repeated, as another host does
      const repetition = { id: `cancel:${id}`, firstSentAtMs: 0 };
      return automation.cancelInvitation({ repetition, callConnectionId, invitationId, operationContext: id });
    };

    await invite("invite:1");
    await cancel("invite:1");
    expect(phones.map(({ signal }) => signal.aborted)).toEqual([true]);
    phones[0]?.pickUp();

    await invite("invite:2");
    phones[1]?.pickUp();
    await eventually(() => running?.participants.length === 2, "somebody has joined");
    await cancel("invite:2");
    expect(running?.participants).toHaveLength(2);
    const repetition = { id: "remove:2", firstSentAtMs: 0 };
    const person = { callConnectionId, target, operationContext: "remove:2" };
    await automation.removeParticipant({ ...person, repetition });
    await automation.removeParticipant({ ...person, repetition });
    expect(running?.participants).toHaveLength(1);
    expect(running?.state).toBe("connected");
    await automation.removeParticipant({ ...person, repetition: { ...repetition, id: "remove-late:2" } });
    const told = (): string[] =>
      emulator.callbacks.map(({ type }) => type).filter((type) => /(?:Add|Remove)Participant/.test(type));
    await eventually(() => told().length === 5, "the service has reported every step");
    expect(told()).toEqual([
      "CancelAddParticipantSucceeded",
      "AddParticipantSucceeded",
      "CancelAddParticipantFailed",
      "RemoveParticipantSucceeded",
      "RemoveParticipantFailed",
    ]);
  });

  it("[END-5] hangs up for everyone, once", async () => {
    const callConnectionId = await connectedCall();
    await automation.hangUp({ repetition: { id: "hang-up:call-1", firstSentAtMs: 0 }, callConnectionId });
    await automation.hangUp({ repetition: { id: "hang-up:call-1", firstSentAtMs: 0 }, callConnectionId });
    expect(emulator.calls[0]?.state).toBe("disconnected");
  });
});
