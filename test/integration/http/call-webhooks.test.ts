import { routesFile, toRoutes } from "@voice/shared/catalog/conversation-routes";
import { loadSettings } from "@voice/shared/config/load";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { CallRecord, NewCall } from "@voice/shared/state/ports/call-store";
import { heartbeat } from "@voice/shared/state/ports/small-stores.contract";
import { catalogOf } from "../../support/built-in-catalog.ts";
import { startApi, type Api } from "./api-harness.ts";

let api: Api;

beforeAll(async () => {
  api = await startApi();
});

afterAll(async () => api.close());

const incoming = {
  id: "event-1",
  topic: "/subscriptions/x",
  subject: "/caller/4:+14255550100/recipient/4:+14255550199",
  eventType: "Microsoft.Communication.IncomingCall",
  eventTime: "2026-01-01T00:00:00Z",
  dataVersion: "1.0",
  metadataVersion: "1",
  data: {
    to: { kind: "phoneNumber", rawId: "4:+14255550199", phoneNumber: { value: "+14255550199" } },
    from: { kind: "phoneNumber", rawId: "4:+14255550100", phoneNumber: { value: "+14255550100" } },
    serverCallId: "server-1",
    incomingCallContext: "context-1",
    correlationId: "correlation-1",
  },
};

/** Of a call of its own. */
const ring = (name: string) => ({ correlationId: name, incomingCallContext: name });

describe("the event delivery's handshakes", () => {
  it("answers a subscription validation in Event Grid's schema", async () => {
    const event = {
      id: "v1",
      eventType: "Microsoft.EventGrid.SubscriptionValidationEvent",
      data: { validationCode: "512d38b6", validationUrl: "https://example.com" },
    };
    const answer = await api.call("POST", "/api/v1/calls/answer", [event], {
      "aeg-event-type": "SubscriptionValidation",
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ validationResponse: "512d38b6" });
  });

  it.each(["/api/v1/calls/answer", "/api/v1/calls/callbacks"])("consents to CloudEvents at %s", async (target) => {
    const answer = await api.call("OPTIONS", target, undefined, { "webhook-request-origin": "eventgrid.azure.net" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("webhook-allowed-origin")).toBe("eventgrid.azure.net");
    expect(answer.headers.get("webhook-allowed-rate")).toBe("*");
  });
});

describe("POST /calls/answer", () => {
  it("[ONCE-1] records an inbound call once, however often and in whichever schema it is delivered", async () => {
    const cloudEvent = {
      id: "event-2",
      source: "/communication",
      type: "Microsoft.Communication.IncomingCall",
      specversion: "1.0",
      time: "2026-01-01T00:00:01Z",
      data: incoming.data,
    };
    const before = { status: "asked to answer before", calls: { asked: 0, duplicates: 1 } };
    for (const [body, outcome] of [
      [[incoming], { status: "asked to answer", calls: { asked: 1, duplicates: 0 } }],
      [[incoming], before],
      [cloudEvent, before],
    ] as const) {
      const answer = await api.call("POST", "/api/v1/calls/answer", body);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        ...outcome,
        orchestrator: "cascade",
        comm_features: { orchestrator_support: false, advanced_tracing: false, api_version: "v1" },
      });
    }
    const { calls, total } = await api.state.calls.list({ offset: 0, limit: 10 });
    expect(total).toBe(1);
    expect(calls[0]?.call).toMatchObject({
      direction: "inbound",
      status: "ringing",
      targetNumber: "+14255550199",
      callerNumber: "+14255550100",
    });
  });

  it("[IN-6a] [IN-6b] takes every ring of a chain of calls for a call of its own, and the events of one ring for one call", async () => {
    const chain = await startApi();
    const ring = (id: string, context: string, number: string) => ({
      ...incoming,
      id,
      data: {
        ...incoming.data,
        to: { kind: "phoneNumber", rawId: `4:${number}`, phoneNumber: { value: number } },
        incomingCallContext: context,
      },
    });
    const deliveries = [
      [ring("e-1", "first", "+14255550199"), 1],
      // Sent back to the number that it came from, and on to another of our numbers.
      [ring("e-2", "second", "+14255550199"), 1],
      [ring("e-3", "third", "+14255550198"), 1],
      // The same ring again, and by way of another subscription.
      [ring("e-1", "first", "+14255550199"), 0],
      [ring("e-4", "second", "+14255550199"), 0],
    ] as const;
    for (const [event, asked] of deliveries) {
      const answer = await chain.call("POST", "/api/v1/calls/answer", [event]);
      expect(answer).toMatchObject({ status: 200, body: { calls: { asked, duplicates: 1 - asked } } });
    }
    expect((await chain.state.calls.list({ offset: 0, limit: 10 })).total).toBe(3);
    await chain.close();
    await api.close();
    api = await startApi();
  });

  it("[IN-4] begins what the called number is for", async () => {
    const insurance = await startApi({ COMM_SCENARIOS: "+14255550199=insurance/claims-intake" });
    for (const [correlationId, number] of [
      ["to-insurance", "+14255550199"],
      ["to-anything", "+14255550198"],
    ]) {
      const to = { kind: "phoneNumber", phoneNumber: { value: number } };
      const event = { ...incoming, data: { ...incoming.data, correlationId, to } };
      expect((await insurance.call("POST", "/api/v1/calls/answer", [event])).status).toBe(200);
    }
    const { calls } = await insurance.state.calls.list({ offset: 0, limit: 10 });
    const byNumber = new Map(calls.map(({ call }) => [call.targetNumber, call]));
    expect(byNumber.get("+14255550199")).toMatchObject({ scenario: "insurance", agent: "claims-intake" });
    expect(byNumber.get("+14255550198")?.scenario).toBeUndefined();
    await insurance.close();
    await api.close();
    api = await startApi();
  });

  it("[NUM-3] begins what a line is for, however the event names it", async () => {
    const [user, bot] = ["6f9619ff-8b86-d011-b42d-00c04fc964ff", "0b1b2c3d-1111-2222-3333-444455556666"];
    const setting = `14255550199=insurance,8:orgid:${user}=banking,28:orgid:${bot.toUpperCase()}=insurance/claims-intake`;
    const lines = await startApi({ COMM_SCENARIOS: setting });
    const named = [
      [{ kind: "phoneNumber", rawId: "4:14255550199", phoneNumber: { value: "14255550199" } }, "insurance", undefined],
      [{ rawId: "4:+14255550199" }, "insurance", undefined],
      [{ kind: "phoneNumber", phoneNumber: { value: "tel:+1-425-555-0199" } }, "insurance", undefined],
      [{ kind: "microsoftTeamsUser", microsoftTeamsUser: { userId: user.toUpperCase() } }, "banking", undefined],
      [{ kind: "microsoftTeamsApp", rawId: `28:orgid:${bot}` }, "insurance", "claims-intake"],
      [{ kind: "unknown", rawId: "8:acs:somebody" }, undefined, undefined],
    ] as const;
    const seen = new Set<string>();
    for (const [index, [to, scenario, agent]] of named.entries()) {
      const event = {
        ...incoming,
        id: `line-${index}`,
        data: { ...incoming.data, ...ring(`line-${index}`), to },
      };
      expect((await lines.call("POST", "/api/v1/calls/answer", [event])).status).toBe(200);
      const { calls } = await lines.state.calls.list({ offset: 0, limit: 20 });
      const begun = calls.find(({ call }) => !seen.has(call.callId))?.call;
      expect({ to, scenario: begun?.scenario, agent: begun?.agent }).toEqual({ to, scenario, agent });
      for (const { call } of calls) seen.add(call.callId);
    }
    await lines.close();
    await api.close();
    api = await startApi();
  });

  it.each([
    [{ kind: "phoneNumber", rawId: "4:anonymous", phoneNumber: { value: "anonymous" } }, null, "4:anonymous"],
    [{ kind: "phoneNumber", phoneNumber: { value: "Restricted" } }, null, "4:Restricted"],
    [{ kind: "phoneNumber", rawId: "4:+266696687", phoneNumber: { value: "+266696687" } }, null, "4:+266696687"],
    [{ kind: "communicationUser", communicationUser: { id: "8:acs:a_b" } }, null, "8:acs:a_b"],
    [
      { kind: "phoneNumber", rawId: "4:14255550100", phoneNumber: { value: "14255550100" } },
      "+14255550100",
      "4:14255550100",
    ],
    [null, null, null],
  ])("[NUM-2] lists a caller's number only where there is one: %o", async (from, number, rawId) => {
    const correlationId = `from-${JSON.stringify(from)}`;
    const event = { ...incoming, id: correlationId, data: { ...incoming.data, ...ring(correlationId), from } };
    expect((await api.call("POST", "/api/v1/calls/answer", [event])).status).toBe(200);
    const listed = await api.call("GET", "/api/v1/calls/?limit=100");
    expect(listed.body).toMatchObject({
      calls: expect.arrayContaining([
        expect.objectContaining({ caller_number: number, caller_raw_id: rawId, target_number: "+14255550199" }),
      ]),
    });
  });

  it("says whether somebody is there to answer, and whether turns are traced", async () => {
    await api.state.hosts.beat({ ...heartbeat("host-1"), traces: true });
    const answer = await api.call("POST", "/api/v1/calls/answer", []);
    expect(answer.body).toMatchObject({ comm_features: { orchestrator_support: true, advanced_tracing: true } });
  });

  it("says so when there was nothing to answer", async () => {
    for (const body of [[], [{ id: "x", eventType: "Microsoft.Communication.Other", data: {} }]]) {
      const answer = await api.call("POST", "/api/v1/calls/answer", body);
      expect(answer).toMatchObject({ status: 200, body: { status: "no events processed" } });
    }
  });

  it("answers the calls beside one that says too little", async () => {
    const bad = { ...incoming, id: "event-3", data: { from: {} } };
    const good = { ...incoming, id: "event-4", data: { ...incoming.data, correlationId: "beside" } };
    const before = (await api.state.calls.list({ offset: 0, limit: 1 })).total;
    const answer = await api.call("POST", "/api/v1/calls/answer", [bad, good]);
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/^1 of 2 incoming calls/) } });
    expect((await api.state.calls.list({ offset: 0, limit: 1 })).total).toBe(before + 1);
  });

  it.each([null, 3, "x", [], { data: null }, { eventType: incoming.eventType, data: [] }])(
    "[DELIVER-2] records the call beside what is no event: %j",
    async (odd) => {
      const name = `beside ${JSON.stringify(odd)}`;
      const answer = await api.call("POST", "/api/v1/calls/answer", [
        odd,
        { ...incoming, id: name, data: { ...incoming.data, ...ring(name) } },
      ]);
      expect(answer.status).toBe(400);
      const again = await api.call("POST", "/api/v1/calls/answer", [
        { ...incoming, id: name, data: { ...incoming.data, ...ring(name) } },
      ]);
      expect(again.body).toMatchObject({ status: "asked to answer before" });
    },
  );

  it("[DELIVER-3] records the calls that come with a subscription's validation", async () => {
    const validation = {
      id: "v2",
      eventType: "Microsoft.EventGrid.SubscriptionValidationEvent",
      data: { validationCode: "code" },
    };
    const beside = { ...incoming, id: "event-5", data: { ...incoming.data, ...ring("with-validation") } };
    for (const body of [
      [validation, beside],
      [{ ...beside, data: { ...beside.data, ...ring("before-validation") } }, validation],
    ]) {
      const before = (await api.state.calls.list({ offset: 0, limit: 1 })).total;
      const answer = await api.call("POST", "/api/v1/calls/answer", body);
      expect(answer).toMatchObject({ status: 200, body: { validationResponse: "code" } });
      expect((await api.state.calls.list({ offset: 0, limit: 1 })).total).toBe(before + 1);
    }
  });

  it("[DELIVER-1] takes a call whose event is in the headers", async () => {
    const binary = { ...incoming.data, ...ring("binary") };
    const answer = await api.call("POST", "/api/v1/calls/answer", binary, {
      "ce-specversion": "1.0",
      "ce-id": "event-6",
      "ce-type": "Microsoft.Communication.IncomingCall",
      "ce-source": "/communication",
      "ce-time": new Date().toISOString(),
    });
    expect(answer).toMatchObject({ status: 200, body: { calls: { asked: 1, duplicates: 0 } } });
  });

  it.each([
    ["ten minutes ago", 600_000, 600_000],
    ["in a minute, by a clock that is ahead of ours", -60_000, 0],
  ])("[IN-3] counts a call's time from its event, that of %s", async (_when, agoMs, expectedMs) => {
    const data = { ...incoming.data, ...ring(`rang-${agoMs}`) };
    const eventTime = new Date(Date.now() - agoMs).toISOString();
    await api.call("POST", "/api/v1/calls/answer", [{ ...incoming, id: `rang-${agoMs}`, eventTime, data }]);
    const { calls } = await api.state.calls.list({ offset: 0, limit: 100 });
    const ages = calls.map(({ call }) => Date.now() - (call.rangAtMs ?? 0));
    expect(ages.some((ageMs) => ageMs >= expectedMs && ageMs < expectedMs + 20_000)).toBe(true);
  });

  it.each(["/api/v1/calls/answer", "/api/v1/calls/callbacks"])(
    "[DELIVER-2] refuses a delivery that says nowhere what it is, at %s",
    async (target) => {
      for (const body of [{}, [{}], incoming.data, { ...incoming, eventType: 5 }, [{ ...incoming, eventType: "" }]]) {
        const answer = await api.call("POST", target, body);
        expect(answer).toMatchObject({ status: 400, body: { type: "validation_error", errors: [{ field: "type" }] } });
      }
    },
  );

  it("[DELIVER-2] records the call beside an event that says no type", async () => {
    const good = { ...incoming, id: "event-7", data: { ...incoming.data, ...ring("beside-typeless") } };
    const before = (await api.state.calls.list({ offset: 0, limit: 1 })).total;
    const answer = await api.call("POST", "/api/v1/calls/answer", [{ data: {} }, good]);
    expect(answer).toMatchObject({ status: 400, body: { detail: "1 of 2 events name no type." } });
    expect((await api.state.calls.list({ offset: 0, limit: 1 })).total).toBe(before + 1);
  });

  it.each([
    ["an incoming call without a context", [{ ...incoming, data: { from: {} } }], "data.incomingCallContext"],
    [
      "a validation without a code",
      [{ eventType: "Microsoft.EventGrid.SubscriptionValidationEvent" }],
      "data.validationCode",
    ],
    ["text in place of events", '"hello"', "body"],
  ])("refuses %s with 400", async (_what, body, field) => {
    const answer = await api.call("POST", "/api/v1/calls/answer", body);
    expect(answer).toMatchObject({ status: 400, body: { type: "validation_error", errors: [{ field }] } });
  });
});

describe("POST /calls/callbacks", () => {
  async function newCall(callId: string, changes: Partial<NewCall> = {}): Promise<void> {
    await api.state.calls.create({
      callId,
      callConnectionId: `connection-${callId}`,
      status: "initiating",
      direction: "outbound",
      targetNumber: "+14255550123",
      context: {},
      streamingMode: "MEDIA",
      recording: false,
      participants: [],
      sessionId: `session-${callId}`,
      createdAtMs: Date.now(),
      ...changes,
    });
  }

  function event(callId: string, type: string, id: string, data: object = {}): object {
    return {
      id,
      source: `calling/callConnections/connection-${callId}`,
      type: `Microsoft.Communication.${type}`,
      specversion: "1.0",
      time: "2026-01-01T00:00:00Z",
      data: { callConnectionId: `connection-${callId}`, ...data },
    };
  }

  it("moves a call from connected to disconnected and keeps what happened", async () => {
    await newCall("a");
    const answer = await api.call("POST", "/api/v1/calls/callbacks", [
      event("a", "CallConnected", "a1"),
      event("a", "ParticipantsUpdated", "a2", {
        participants: [
          {
            identifier: { rawId: "4:+14255550123", kind: "phoneNumber", phoneNumber: { value: "+14255550123" } },
            isMuted: true,
          },
        ],
      }),
      event("a", "ContinuousDtmfRecognitionToneReceived", "a3", { tone: "five" }),
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: "success",
      processed_events: 3,
      failed_events: 0,
      call_connection_id: "connection-a",
      processing_system: "events_v1",
    });
    expect(await api.state.calls.get("a")).toMatchObject({
      status: "connected",
      participants: [{ phoneNumber: "+14255550123", role: "callee", status: "muted" }],
    });
    const ended = event("a", "CallDisconnected", "a4", { resultInformation: { code: 200, subCode: 0, message: "ok" } });
    await api.call("POST", "/api/v1/calls/callbacks", ended);
    const listed = await api.call("GET", "/api/v1/calls/?status_filter=disconnected");
    expect(listed.body).toMatchObject({
      calls: [{ call_id: "a", status: "disconnected", duration: 0, events: [{}, {}, {}, { details: { code: 200 } }] }],
    });
    expect(listed.text).not.toMatch(/\bfive\b/);
  });

  it("[ONCE-4] applies an event once and never goes back", async () => {
    await newCall("b");
    const connected = event("b", "CallConnected", "b1");
    const disconnected = event("b", "CallDisconnected", "b2");
    for (const body of [[connected], [connected], [disconnected], [connected], [event("b", "CallConnected", "b3")]]) {
      expect((await api.call("POST", "/api/v1/calls/callbacks", body)).status).toBe(200);
    }
    expect(await api.state.calls.get("b")).toMatchObject({ status: "disconnected" });
    expect((await api.state.calls.events("b")).map((entry) => entry.eventId)).toEqual(["b1", "b2", "b3"]);
  });

  it("[CB-3] keeps the newest participants, and a call on hold when it hears late that it was connected", async () => {
    await newCall("held", { status: "on_hold", holdUntilMs: Date.now() + 60_000 });
    const list = (sequenceNumber: number, isOnHold: boolean): object =>
      event("held", "ParticipantsUpdated", `held-${sequenceNumber}`, {
        sequenceNumber,
        participants: [{ identifier: { rawId: "4:+1" }, isOnHold }],
      });
    const late = event("held", "CallConnected", "held-late");
    await api.call("POST", "/api/v1/calls/callbacks", [list(3, true), list(2, false), late]);
    expect(await api.state.calls.get("held")).toMatchObject({
      status: "on_hold",
      participantsSequence: 3,
      participants: [{ status: "on_hold" }],
    });
  });

  it("finds a call by its operation context before its connection is known", async () => {
    await newCall("c", { callConnectionId: undefined });
    await api.call("POST", "/api/v1/calls/callbacks", [event("c", "CallConnected", "c1", { operationContext: "c" })]);
    expect(await api.state.calls.get("c")).toMatchObject({ status: "connected", callConnectionId: "connection-c" });
  });

  it("takes the connection from the header where the event names none", async () => {
    await newCall("d");
    const body = { id: "d1", type: "Microsoft.Communication.CreateCallFailed", data: {} };
    const answer = await api.call("POST", "/api/v1/calls/callbacks", body, {
      "x-ms-call-connection-id": "connection-d",
    });
    expect(answer).toMatchObject({ status: 200, body: { processed_events: 1, call_connection_id: "connection-d" } });
    expect(await api.state.calls.get("d")).toMatchObject({ status: "failed" });
  });

  it("[CB-5b] loses no event of a delivery for a field of another one that it cannot read", async () => {
    await newCall("e");
    const odd = { ...event("e", "PlayStarted", "x".repeat(300)), time: 5, subject: {}, source: [] };
    const answer = await api.call("POST", "/api/v1/calls/callbacks", [odd, event("e", "CallConnected", "e1")]);
    expect(answer).toMatchObject({ status: 200, body: { processed_events: 2, failed_events: 0 } });
    expect(await api.state.calls.get("e")).toMatchObject({ status: "connected" });
  });

  it("counts events of calls that are not ours as failed", async () => {
    const answer = await api.call("POST", "/api/v1/calls/callbacks", [event("nobody", "CallConnected", "n1")]);
    expect(answer).toMatchObject({ status: 200, body: { processed_events: 0, failed_events: 1 } });
  });
});

describe("the table of routes", () => {
  it("[ROUTE-2] [ROUTE-5] decides what a call is about when it rings, and which sentence it gets outside of the hours", async () => {
    const never = { "mon-sun": "00:00-00:01" };
    const catalog = await catalogOf(loadSettings({}));
    const rows = [
      { number: "+14255550111", scenario: "insurance", agent: "claims-intake", language: "de-DE" },
      { number: "+14255550112", scenario: "banking", hours: never, closed_on: [], closed: { say: "We are closed." } },
      { channel: "phone", scenario: "banking" },
    ];
    const routed = await startApi(
      { COMM_SCENARIOS: "+14255550111=banking,+14255550113=insurance" },
      { catalog: { ...catalog, routes: toRoutes(routesFile.parse({ routes: rows })) } },
    );
    onTestFinished(() => routed.close());
    const records = new Map<string, CallRecord>();
    for (const number of ["+14255550111", "+14255550112", "+14255550113", "+14255550114"]) {
      const to = { kind: "phoneNumber", rawId: `4:${number}`, phoneNumber: { value: number } };
      const data = { ...incoming.data, to, ...ring(`routed-${number}`) };
      expect((await routed.call("POST", "/api/v1/calls/answer", [{ ...incoming, id: number, data }])).status).toBe(200);
      const { calls } = await routed.state.calls.list({ offset: 0, limit: 10 });
      for (const { call } of calls) records.set(call.targetNumber ?? "", call);
    }
    expect(records.get("+14255550111")).toMatchObject({
      scenario: "insurance",
      agent: "claims-intake",
      language: "de-DE",
    });
    expect(records.get("+14255550112")).toMatchObject({ turnedAway: true, announcement: "We are closed." });
    expect(records.get("+14255550113")).toMatchObject({ scenario: "insurance" });
    expect(records.get("+14255550114")).toMatchObject({ scenario: "banking" });
    const { body } = await routed.call("GET", "/api/v1/system");
    expect(body).toMatchObject({
      routes: [
        { numbers: ["+14255550111"], scenario: "insurance", is_open: true, hours: null },
        { numbers: ["+14255550112"], is_open: false, closed: "says “We are closed.” and hangs up" },
        { numbers: [], channel: "phone" },
      ],
    });
  });
});
