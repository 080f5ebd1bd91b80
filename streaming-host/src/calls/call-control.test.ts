import { describe, expect, it } from "vitest";
import { loadSettings } from "@voice/shared/config/load";
import { callEvent } from "@voice/shared/contracts/events/call-event";
import type { CallEvent } from "@voice/shared/contracts/events/call-event";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { CallRecord, CallStatus, NewCall } from "@voice/shared/state/ports/call-store";
import type { CallAutomation } from "../providers/ports/call-automation.ts";
import { effectWords } from "../session/host-effects.ts";
import { streamOf } from "./media-address.ts";
import { startCallControl } from "./call-control.ts";

type Request = { readonly operation: keyof CallAutomation; readonly details: Readonly<Record<string, unknown>> };

const settings = loadSettings({
  BASE_URL: "https://voice.example.com",
  COMM_CONNECTION_STRING: "endpoint=https://comm.example.com/;accesskey=a2V5",
  COMM_PHONE_NUMBER: "+12025550100",
  COMM_DESTINATIONS: "person=+12025550150",
});

async function startRig() {
  const clock = new VirtualClock();
  const state = createMemoryState({ clock, logger: silentLogger });
  const requests: Request[] = [];
  /** What the service does with the next requests; then it accepts everything. */
  const failures: VoiceError[] = [];
  let onRequest: (request: Request) => Promise<void> = async () => undefined;

  async function take(operation: keyof CallAutomation, details: Readonly<Record<string, unknown>>): Promise<void> {
    const request = { operation, details };
    requests.push(request);
    await onRequest(request);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
  }
  const automation: CallAutomation = {
    async place(call) {
      await take("place", { ...call });
      return { callConnectionId: `connection-${call.callId}` };
    },
    async answer(call) {
      await take("answer", { ...call });
      return { callConnectionId: `connection-${call.callId}` };
    },
    hangUp: (request) => take("hangUp", { ...request }),
    transfer: (request) => take("transfer", { ...request }),
    sendDigits: (request) => take("sendDigits", { ...request }),
    hold: (request) => take("hold", { ...request }),
    unhold: (request) => take("unhold", { ...request }),
    startStream: (callConnectionId, kind) => take("startStream", { callConnectionId, kind }),
  };
  const control = await startCallControl({ state, automation, settings, clock, logger: silentLogger });

  async function settle(ms = 0): Promise<void> {
    await clock.advanceAsync(Math.max(ms, 5), ms > 1000 ? 250 : 1);
  }
  async function create(change: Partial<NewCall> = {}): Promise<CallRecord> {
    return state.calls.create({
      callId: "call-1",
      status: "initiating",
      direction: "outbound",
      targetNumber: "+12025550123",
      context: {},
      streamingMode: "MEDIA",
      recording: false,
      participants: [],
      sessionId: "session-1",
      createdAtMs: clock.wallNow(),
      ...change,
    });
  }
  async function publish<T extends CallEvent["type"]>(
    id: string,
    type: T,
    data: Extract<CallEvent, { type: T }>["data"],
  ): Promise<void> {
    const time = new Date(clock.wallNow()).toISOString();
    const event = { id, type, source: "test", time, subject: "call-1", data };
    await state.events.publish(callEvent.parse(event));
    await settle();
  }
  return {
    clock,
    state,
    requests,
    failures,
    control,
    settle,
    create,
    publish,
    place: () => publish("place:call-1", "call.initiation-requested", { call_id: "call-1" }),
    terminate: () => publish("hang-up:1", "call.termination-requested", { call_id: "call-1", reason: "normal" }),
    during: (action: (request: Request) => Promise<void>) => {
      onRequest = action;
    },
    async record(): Promise<CallRecord> {
      const record = await state.calls.get("call-1");
      if (record === undefined) throw new Error("there is no call");
      return record;
    },
    async become(status: CallStatus): Promise<void> {
      const { version } = await this.record();
      await state.calls.update("call-1", version, { status, connectedAtMs: clock.wallNow() });
    },
    operations: () => requests.map(({ operation }) => operation),
  };
}

describe("placing", () => {
  it("[OUT-1] asks for audio at the rate of the call's mode, and for callbacks to us", async () => {
    const rig = await startRig();
    await rig.create({ streamingMode: "VOICE_LIVE" });
    await rig.place();
    expect(rig.requests).toMatchObject([
      {
        operation: "place",
        details: {
          callId: "call-1",
          stream: { kind: "audio", sampleRateHz: 24_000 },
          callerNumber: "+12025550100",
          callbackUrl: "https://voice.example.com/api/v1/calls/callbacks",
          mediaUrl: "wss://voice.example.com/api/v1/media/stream?call_id=call-1&session_id=session-1",
        },
      },
    ]);
    expect(await rig.record()).toMatchObject({ status: "ringing", callConnectionId: "connection-call-1" });
  });

  it("[OUT-2] asks under the same id when the first answer was lost", async () => {
    const rig = await startRig();
    rig.failures.push(new VoiceError("upstream_unavailable", "lost"));
    await rig.create();
    await rig.place();
    await rig.settle(2000);
    const ids = rig.requests.map(({ details }) => details["requestId"]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect((await rig.record()).status).toBe("ringing");
  });

  it("[OUT-5] fails the call when the service refuses for good", async () => {
    const rig = await startRig();
    rig.failures.push(new VoiceError("pstn_number_invalid", "no number"));
    await rig.create();
    await rig.place();
    expect(await rig.record()).toMatchObject({ status: "failed", failureReason: "pstn_number_invalid" });
    expect(rig.operations()).toEqual(["place"]);
  });

  it("[OUT-5] does not place a call that was asked for too long ago", async () => {
    const rig = await startRig();
    await rig.create({ createdAtMs: rig.clock.wallNow() - settings.commCallTimeoutMs - 1 });
    await rig.place();
    expect(rig.operations()).toEqual([]);
    expect((await rig.record()).status).toBe("failed");
  });

  it("[OUT-4] hangs up a call that rings too long, whoever placed it", async () => {
    const rig = await startRig();
    await rig.create({ status: "ringing", callConnectionId: "connection-1" });
    await rig.settle(settings.commCallTimeoutMs - 2000);
    expect(rig.operations()).toEqual([]);
    await rig.settle(4000);
    expect(rig.operations()).toEqual(["hangUp"]);
    expect(await rig.record()).toMatchObject({ status: "failed", failureReason: "no answer" });
  });
});

describe("answering", () => {
  const answer = (rig: Awaited<ReturnType<typeof startRig>>, id: string) =>
    rig.publish(id, "call.inbound-received", { call_id: "call-1", incoming_call_context: "context" });

  it("[IN-1] asks once, whatever is delivered how often", async () => {
    const rig = await startRig();
    await rig.create({ direction: "inbound", status: "ringing" });
    await answer(rig, "answer:call-1");
    await answer(rig, "answer:call-1");
    await answer(rig, "answer:call-1-again");
    expect(rig.operations()).toEqual(["answer"]);
  });

  it("[IN-3] lets a call alone whose context is stale", async () => {
    const rig = await startRig();
    await rig.create({ direction: "inbound", status: "ringing", createdAtMs: rig.clock.wallNow() - 31_000 });
    await answer(rig, "answer:call-1");
    expect(rig.operations()).toEqual([]);
    expect((await rig.record()).status).toBe("failed");
  });
});

describe("ending", () => {
  it("[END-1] ends a call that the service has not heard of without asking it", async () => {
    const rig = await startRig();
    await rig.create();
    await rig.terminate();
    expect(rig.operations()).toEqual([]);
    expect((await rig.record()).status).toBe("disconnected");
  });

  it("[END-2] hangs up a call that was terminated while it was being placed", async () => {
    const rig = await startRig();
    await rig.create();
    rig.during(async ({ operation }) => {
      if (operation !== "place") return;
      const { version } = await rig.record();
      await rig.state.calls.update("call-1", version, { status: "disconnected" });
    });
    await rig.place();
    expect(rig.operations()).toEqual(["place", "hangUp"]);
    expect((await rig.record()).status).toBe("disconnected");
  });

  it("[END-4] ends a call that lasts too long", async () => {
    const rig = await startRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1", connectedAtMs: rig.clock.wallNow() });
    await rig.settle(settings.commMaxCallMs);
    expect(rig.operations()).toEqual([]); // the host that talks on it says goodbye first
    await rig.settle(45_000);
    expect(rig.operations()).toContain("hangUp");
  });

  it("[END-6] leaves a hang-up that fails to the event bus", async () => {
    const rig = await startRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    rig.failures.push(new VoiceError("upstream_unavailable", "away"), new VoiceError("upstream_unavailable", "away"));
    await rig.control.hangUp("connection-1", "caller_silent");
    await rig.settle(5000);
    expect(rig.operations()).toEqual(["hangUp", "hangUp", "hangUp"]);
    expect(new Set(rig.requests.map(({ details }) => details["requestId"])).size).toBe(1);
  });

  it("[END-5] marks a call ended that the service has forgotten", async () => {
    const rig = await startRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    rig.failures.push(new VoiceError("call_not_found", "gone"));
    await rig.terminate();
    expect((await rig.record()).status).toBe("disconnected");
  });
});

describe("the end of a conversation", () => {
  it("[END-6] is tried again by the bus when the service does not take it", async () => {
    const rig = await startRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    rig.failures.push(new VoiceError("upstream_unavailable", "503"), new VoiceError("upstream_unavailable", "503"));
    await rig.control.hangUp("connection-1", "caller_silent");
    await rig.settle(2000);
    expect(rig.operations()).toEqual(["hangUp", "hangUp", "hangUp"]);
    expect(new Set(rig.requests.map(({ details }) => details["requestId"]))).toEqual(new Set(["hang-up:call-1"]));
  });

  it("[CACHE-4] ends the call without its record, when the cache has lost it", async () => {
    const rig = await startRig();
    await rig.control.hangUp("connection-1", "caller_silent");
    expect(rig.operations()).toEqual(["hangUp"]);
  });

  it("[CACHE-4] ends the call without its record, while the cache is away", async () => {
    const rig = await startRig();
    Object.assign(rig.state.calls, {
      getByConnection: () => Promise.reject(new VoiceError("cache_connection_failed", "away")),
    });
    await rig.control.hangUp("connection-1", "caller_silent");
    expect(rig.requests).toMatchObject([{ operation: "hangUp", details: { callConnectionId: "connection-1" } }]);
  });
});

describe("a draining host", () => {
  it("[DRAIN-4] leaves events to others, and still ends its own calls", async () => {
    const rig = await startRig();
    await rig.create();
    await rig.control.drain();
    await rig.place();
    expect(rig.operations()).toEqual([]);
    const { version } = await rig.record();
    await rig.state.calls.update("call-1", version, { status: "connected", callConnectionId: "connection-1" });
    await rig.control.hangUp("connection-1", "caller_silent");
    expect(rig.operations()).toEqual(["hangUp"]);
  });
});

describe("media", () => {
  const failed = async (
    rig: Awaited<ReturnType<typeof startRig>>,
    id: string,
    stream = "MediaStreaming",
  ): Promise<void> => {
    const type = `Microsoft.Communication.${stream}Failed`;
    await rig.state.calls.appendEvent("call-1", {
      eventId: id.replace("-again", ""),
      type,
      timestampMs: rig.clock.wallNow(),
      details: {},
    });
    const data = { call_id: "call-1", call_connection_id: "connection-1", callback_type: type, payload: {} };
    await rig.publish(`callback:${id}`, "call.callback-received", data);
  };

  it("[MEDIA-2] [ONCE-2] leaves a stream alone that is open again when the failure is handled a second time", async () => {
    const rig = await startRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    await failed(rig, "1");
    const type = "Microsoft.Communication.MediaStreamingStarted";
    const started = { eventId: "2", type, timestampMs: rig.clock.wallNow(), details: {} };
    await rig.state.calls.appendEvent("call-1", started);
    await failed(rig, "1-again");
    expect(rig.operations()).toEqual(["startStream"]);
  });

  it("[MEDIA-2] opens a failed stream again, and hangs up at the third failure", async () => {
    const rig = await startRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    await failed(rig, "1");
    await failed(rig, "2");
    expect(rig.operations()).toEqual(["startStream", "startStream"]);
    await failed(rig, "3");
    expect(rig.operations()).toEqual(["startStream", "startStream", "hangUp"]);
  });

  it("[MEDIA-2] [MEDIA-5] starts the transcription again that has failed", async () => {
    const rig = await startRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1", streamingMode: "TRANSCRIPTION" });
    await failed(rig, "1", "Transcription");
    expect(rig.requests).toMatchObject([{ operation: "startStream", details: { kind: "transcript" } }]);
  });
});

describe("transcription", () => {
  it("[MEDIA-5] asks the service for the words where it can write, and for the audio where that is to be kept", async () => {
    const transcribing = { ...settings, commCognitiveEndpoint: "https://ai.example.com" };
    const call = { streamingMode: "TRANSCRIPTION", recording: false } as const;
    expect(streamOf(call, transcribing)).toEqual({
      kind: "transcript",
      language: "en-US",
      cognitiveUrl: "https://ai.example.com",
    });
    const audio = { kind: "audio", sampleRateHz: 16_000 };
    expect(streamOf({ ...call, recording: true }, transcribing)).toEqual(audio);
    expect(streamOf(call, settings)).toEqual(audio);
    expect(streamOf({ ...call, streamingMode: "MEDIA" }, transcribing)).toEqual(audio);
  });
});

describe("effects", () => {
  async function connected() {
    const rig = await startRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    const tell = (type: string, context: string, code = 200): Promise<boolean> =>
      rig.state.calls.appendEvent("call-1", {
        eventId: `${type}-${context}`,
        type: `Microsoft.Communication.${type}`,
        timestampMs: rig.clock.wallNow(),
        details: { operation_context: context, code },
      });
    return { ...rig, tell };
  }
  const escalate = { type: "escalate", reason: "asked" } as const;

  it("[EFFECT-5] escalates to the person in the settings, and resolves when they have taken the call", async () => {
    const rig = await connected();
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(1000);
    expect(rig.requests).toMatchObject([{ operation: "transfer", details: { target: "+12025550150" } }]);
    await rig.tell("CallTransferAccepted", "transfer:call-1:0");
    await rig.settle(1000);
    expect(await outcome).toEqual({ ok: true });
  });

  it("[EFFECT-1] refuses a second transfer while one is under way, and allows it when that has failed", async () => {
    const rig = await connected();
    const first = rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    expect(await rig.control.carryOut(escalate, "connection-1")).toMatchObject({ ok: false });
    await rig.tell("CallTransferFailed", "transfer:call-1:0", 486);
    await rig.settle(1000);
    expect(await first).toEqual({ ok: false, reason: "busy" });
    const again = rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    await rig.tell("CallTransferAccepted", "transfer:call-1:1");
    await rig.settle(1000);
    expect(await again).toEqual({ ok: true });
    expect(rig.operations()).toEqual(["transfer", "transfer"]);
  });

  it("[EFFECT-4] gives a reason that can be said, and writes it down", async () => {
    const rig = await connected();
    rig.failures.push(new VoiceError("pstn_number_invalid", "internal details"));
    const transfer = { type: "transfer", target: "+1", reason: "asked" } as const;
    expect(await rig.control.carryOut(transfer, "connection-1")).toEqual({
      ok: false,
      reason: "the number is not valid",
    });
    const unknown = { type: "transfer", target: "claims", reason: "asked" } as const;
    expect(await rig.control.carryOut(unknown, "connection-1")).toMatchObject({ ok: false });
    const log = await rig.state.calls.events("call-1");
    expect(log.map(({ type }) => type)).toContain("transfer.failed");
  });

  it("[EFFECT-6] [TAKE-5] waits for a transfer that another host has begun, and asks the service no second one", async () => {
    const rig = await connected();
    const effect = { ...escalate, id: "tool-call-1" };
    void rig.control.carryOut(effect, "connection-1");
    await rig.settle(1000);
    const again = rig.control.carryOut(effect, "connection-1");
    await rig.settle(1000);
    const ids = rig.requests.map(({ details }) => details["requestId"]);
    expect(ids).toEqual(["transfer:call-1:0", "transfer:call-1:0"]); // for the service, one request
    await rig.tell("CallTransferFailed", "transfer:call-1:0", 486);
    await rig.settle(1000);
    expect(await again).toEqual({ ok: false, reason: "busy" });
  });

  it("[EFFECT-6] says again how a transfer went that is over", async () => {
    const rig = await connected();
    const effect = { ...escalate, id: "tool-call-1" };
    const first = rig.control.carryOut(effect, "connection-1");
    await rig.settle(1000);
    await rig.tell("CallTransferFailed", "transfer:call-1:0", 486);
    await rig.settle(1000);
    expect(await rig.control.carryOut(effect, "connection-1")).toEqual(await first);
    expect(rig.operations()).toEqual(["transfer"]);
  });

  it("[EFFECT-6] [ONCE-5] presses keys once", async () => {
    const rig = await connected();
    const effect = { type: "send-dtmf", digits: "1", id: "tool-call-1" } as const;
    const outcomes = [rig.control.carryOut(effect, "connection-1"), rig.control.carryOut(effect, "connection-1")];
    await rig.settle(15_000); // the service may say nothing about it
    expect(await Promise.all(outcomes)).toEqual([{ ok: true }, { ok: true }]);
    expect(rig.operations()).toEqual(["sendDigits"]);
  });

  it("[EFFECT-4] [CACHE-1] takes an effect for done that could not be written down, and waits for news of a transfer", async () => {
    const rig = await connected();
    const outcome = rig.control.carryOut(escalate, "connection-1");
    await rig.settle(1000);
    const { events } = rig.state.calls;
    const away = (): Promise<never> => Promise.reject(new VoiceError("cache_connection_failed", "away"));
    Object.assign(rig.state.calls, { events: away });
    await rig.settle(2000);
    Object.assign(rig.state.calls, { events });
    await rig.tell("CallTransferAccepted", "transfer:call-1:0");
    Object.assign(rig.state.calls, { appendEvent: away });
    await rig.settle(1000);
    expect(await outcome).toEqual({ ok: true });
  });

  it.each([
    ["SendDtmfTonesCompleted", 200, { ok: true }],
    ["SendDtmfTonesFailed", 500, { ok: false }],
  ])("[EFFECT-4] sends digits to the far end and hears of %s", async (type, code, expected) => {
    const rig = await connected();
    const outcome = rig.control.carryOut({ type: "send-dtmf", digits: "12#" }, "connection-1");
    await rig.settle();
    expect(rig.requests).toMatchObject([
      { operation: "sendDigits", details: { digits: "12#", to: "+12025550123", callConnectionId: "connection-1" } },
    ]);
    await rig.tell(type, String(rig.requests[0]?.details["operationContext"]), code);
    await rig.settle(1000);
    expect(await outcome).toMatchObject(expected);
  });

  it("[EFFECT-4] tells one transfer that is under way from one that failed", async () => {
    const rig = await connected();
    void rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    const again = await rig.control.carryOut(escalate, "connection-1");
    expect(effectWords(escalate, again)).toBe("patience");
  });

  it("[EFFECT-8] tells whoever takes the call why, and by what id the conversation is found", async () => {
    const rig = await connected();
    void rig.control.carryOut(escalate, "connection-1");
    await rig.settle();
    const context = { Reason: "asked", "Session-Id": "session-1" };
    expect(rig.requests).toMatchObject([{ operation: "transfer", details: { context } }]);
  });

  it("[EFFECT-7] holds for as long as asked, and gives the call back", async () => {
    const rig = await connected();
    const outcome = rig.control.carryOut({ type: "hold", seconds: 30 }, "connection-1");
    await rig.settle(29_000);
    expect(rig.requests).toMatchObject([{ operation: "hold", details: { to: "+12025550123" } }]);
    expect((await rig.record()).status).toBe("on_hold");
    await rig.settle(2000);
    expect(await outcome).toEqual({ ok: true });
    expect(rig.operations()).toEqual(["hold", "unhold"]);
    expect((await rig.record()).status).toBe("connected");
  });

  it("[EFFECT-7] goes on at once when the service cannot hold the call", async () => {
    const rig = await connected();
    const outcome = rig.control.carryOut({ type: "hold", seconds: 30, id: "tool-1" }, "connection-1");
    await rig.settle(1000);
    await rig.tell("HoldFailed", "hold:tool-1", 400);
    await rig.settle(1000);
    expect(await outcome).toMatchObject({ ok: false });
    expect((await rig.record()).status).toBe("connected");
  });

  it("[EFFECT-6] [EFFECT-7] waits for a hold that another host has begun", async () => {
    const rig = await connected();
    const effect = { type: "hold", seconds: 30, id: "tool-1" } as const;
    void rig.control.carryOut(effect, "connection-1");
    await rig.settle(10_000);
    const again = rig.control.carryOut(effect, "connection-1");
    await rig.settle(22_000);
    expect(await again).toEqual({ ok: true });
    expect(rig.operations()[0]).toBe("hold");
    expect(rig.operations().filter((operation) => operation === "hold")).toHaveLength(1);
  });

  it("[EFFECT-7] gives the call back on another host when the one that held it is gone", async () => {
    const rig = await startRig();
    const holdUntilMs = rig.clock.wallNow() + 20_000;
    await rig.create({ status: "on_hold", callConnectionId: "connection-1", holdUntilMs });
    await rig.settle(19_000);
    expect(rig.operations()).toEqual([]);
    await rig.settle(8000);
    expect(rig.operations()).toEqual(["unhold"]);
    expect((await rig.record()).status).toBe("connected");
  });

  it("does nothing to a call that is over", async () => {
    const rig = await connected();
    await rig.become("disconnected");
    expect(await rig.control.carryOut({ type: "hang-up", reason: "done" }, "connection-1")).toMatchObject({
      ok: false,
    });
    expect(rig.operations()).toEqual([]);
  });
});
