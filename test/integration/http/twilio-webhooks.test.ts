/** Twilio's requests, signed, forged and repeated. Rules: docs/calls.md, TWILIO. */
import { voiceUrl } from "@voice/shared/calls/twilio/addresses";
import { rejectInstructions } from "@voice/shared/calls/twilio/instructions";
import { twilioSignature, twilioSignatureHeader } from "@voice/shared/calls/twilio/signature";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { twilioAuthToken, twilioBaseUrl, twilioSettings } from "../../support/twilio-settings.ts";
import { startApi } from "./api-harness.ts";
import type { Api } from "./api-harness.ts";

const [authToken, nextToken] = [twilioAuthToken, "b".repeat(32)];
const callSid = `CA${"1".repeat(32)}`;

let api: Api;

beforeAll(async () => {
  api = await startApi({
    ...twilioSettings,
    STREAMING_HOST_URL: "wss://media.example.com",
    TWILIO_AUTH_TOKEN: `${authToken},${nextToken}`,
  });
});

afterAll(async () => {
  await api.close();
});

type Fields = Readonly<Record<string, string>>;

function post(target: string, fields: Fields, signature?: string) {
  return api.call("POST", target, new URLSearchParams(fields).toString(), {
    "content-type": "application/x-www-form-urlencoded",
    ...(signature === undefined ? {} : { [twilioSignatureHeader]: signature }),
  });
}

function sign(target: string, fields: Fields, token = authToken): string {
  return twilioSignature(token, twilioBaseUrl + target, Object.entries(fields));
}

const signedPost = (target: string, fields: Fields, token?: string) =>
  post(target, fields, sign(target, fields, token));

let calls = 0;

/** A connected call. */
async function connected(change: Partial<ReturnType<typeof newCall>> = {}): Promise<{ callId: string; sid: string }> {
  const number = `${++calls}`;
  const sid = `CA${number.padStart(32, "0")}`;
  const { callId } = await api.state.calls.create({
    ...newCall(`call-${number}`, Date.now()),
    status: "connected",
    callConnectionId: sid,
    ...change,
  });
  return { callId, sid };
}

const next = (after: string, callId: string, more = ""): string =>
  `/api/v1/calls/twilio/next?after=${after}&call_id=${callId}${more}&once=${Math.random()}`;

describe("[TWILIO-2] a request", () => {
  const target = "/api/v1/calls/twilio/reports?about=call";
  const fields = { CallSid: callSid, CallStatus: "completed", SequenceNumber: "1" };

  it.each([
    ["without a signature", undefined],
    ["with another account's", sign(target, fields, "c".repeat(32))],
    ["with that of another address", sign(`${target}&call_id=x`, fields)],
    ["with that of other fields", sign(target, { ...fields, CallStatus: "busy" })],
    [
      "with that of the address that a proxy made of it",
      twilioSignature(authToken, `http://127.0.0.1${target}`, Object.entries(fields)),
    ],
  ])("is refused %s", async (_what, signature) => {
    expect((await post(target, fields, signature)).status).toBe(401);
  });

  it("is taken with a signature of either token", async () => {
    expect((await signedPost(target, fields)).status).toBe(204);
    expect((await signedPost(target, fields, nextToken)).status).toBe(204);
  });

  it("that is signed and no call of Twilio's is refused with 400", async () => {
    expect((await signedPost(target, { CallSid: "nothing" })).status).toBe(400);
  });
});

describe("an incoming call", () => {
  const target = voiceUrl("");

  it("[TWILIO-1a] [TWILIO-3] is answered with what a host says, and the same request never again", async () => {
    const fields = { CallSid: callSid, CallStatus: "ringing", From: "+12025550123", To: "+12025550100" };
    const answer = signedPost(target, fields);
    await api.state.telephoneLines.instruct(callSid, "<Response/>");
    expect(await answer).toMatchObject({ status: 200, text: "<Response/>" });
    expect((await answer).headers.get("content-type")).toContain("text/xml");
    const { calls: listed } = await api.state.calls.list({ offset: 0, limit: 5, direction: "inbound" });
    expect(listed[0]?.call).toMatchObject({
      callerNumber: "+12025550123",
      targetNumber: "+12025550100",
      status: "ringing",
    });
    expect((await signedPost(target, fields)).status).toBe(403);
  });

  it("[TWILIO-1b] hears that we are busy where nobody can write it down", async () => {
    const create = api.state.calls.create.bind(api.state.calls);
    Object.assign(api.state.calls, { create: () => Promise.reject(new Error("away")) });
    const fields = { CallSid: `CA${"9".repeat(32)}`, CallStatus: "ringing", From: "+12025550123" };
    expect(await signedPost(target, fields)).toMatchObject({ status: 200, text: rejectInstructions });
    Object.assign(api.state.calls, { create });
  });
});

describe("Twilio asks what comes next", () => {
  it("[TWILIO-10a] and opens another stream when one has ended, unless the call is to end", async () => {
    const { callId, sid } = await connected();
    const again = await signedPost(next("stream", callId), { CallSid: sid, CallStatus: "in-progress" });
    expect(again.text).toMatch(
      /<Connect><Stream url="wss:\/\/media\.example\.com\/api\/v1\/twilio\/stream\/[\w-]{32}"/,
    );
    const over = await connected({ hangUpAtMs: 1 });
    const end = await signedPost(next("stream", over.callId), { CallSid: over.sid, CallStatus: "in-progress" });
    expect(end.text).toContain("<Hangup/>");
    const unknown = await signedPost(next("stream", "nobody"), { CallSid: callSid.replace("1", "2") });
    expect(unknown.text).toContain("<Hangup/>");
  });

  it("[TWILIO-10b] and waits a second where the stream has broken as soon as it was opened", async () => {
    const { callId, sid } = await connected();
    const ask = () => signedPost(next("stream", callId), { CallSid: sid, CallStatus: "in-progress" });
    expect((await ask()).text).toContain("<Stream");
    const second = await ask();
    expect(second.text).toContain('<Pause length="1"/>');
    expect(second.text).toContain("after=wait");
  });

  it("[TWILIO-7a] and gets the stream back when nobody took a transfer, whose outcome is known", async () => {
    const { callId, sid } = await connected();
    await api.state.telephoneLines.beginErrand(
      sid,
      { kind: "dial", operation: "transfer:1", isAccepted: false },
      60_000,
    );
    const fields = { CallSid: sid, CallStatus: "in-progress", DialCallStatus: "no-answer" };
    const answer = await signedPost(next("dial", callId, "&operation=transfer:1"), fields);
    expect(answer.text).toContain("<Stream");
    const operation = { callId, operationContext: "transfer:1" };
    expect(await api.state.callOperations.find(operation)).toEqual({ ok: false, reason: "no answer" });
    expect(await api.state.telephoneLines.errandOf(sid)).toBeUndefined();
  });

  it("[TWILIO-5] and the answer of a SIP address that took no transfer says why", async () => {
    const { callId, sid } = await connected();
    const fields = { CallSid: sid, CallStatus: "in-progress", DialCallStatus: "failed", DialSipResponseCode: "603" };
    await signedPost(next("dial", callId, "&operation=transfer:2"), fields);
    const operation = { callId, operationContext: "transfer:2" };
    expect(await api.state.callOperations.find(operation)).toEqual({ ok: false, reason: "declined" });
  });

  it("[TWILIO-12] and is told to wait while the state store is away", async () => {
    const { callId, sid } = await connected();
    const get = api.state.calls.getByConnection.bind(api.state.calls);
    Object.assign(api.state.calls, { getByConnection: () => Promise.reject(new Error("away")) });
    const answer = await signedPost(next("stream", callId), { CallSid: sid, CallStatus: "in-progress" });
    expect(answer.text).toContain('<Pause length="2"/>');
    Object.assign(api.state.calls, { getByConnection: get });
  });
});

describe("a report", () => {
  it("[TWILIO-3] that comes twice changes nothing more", async () => {
    const { callId, sid } = await connected();
    const target = `/api/v1/calls/twilio/reports?about=call&call_id=${callId}`;
    const fields = {
      CallSid: sid,
      CallStatus: "completed",
      SequenceNumber: "3",
      Timestamp: "Sun, 29 Nov 2026 08:00:00 +0000",
    };
    for (let times = 0; times < 2; times++) expect((await signedPost(target, fields)).status).toBe(204);
    expect(await api.state.calls.get(callId)).toMatchObject({ status: "disconnected", endedByService: true });
    expect(await api.state.calls.events(callId)).toHaveLength(1);
  });

  it.each([
    ["busy", {}, "busy"],
    ["no-answer", {}, "no_answer"],
    ["canceled", {}, "cancelled"],
    ["failed", { SipResponseCode: "404" }, "pstn_number_invalid"],
    ["failed", { SipResponseCode: "603" }, "declined"],
    ["failed", { ErrorCode: "13227" }, "not_permitted"],
    ["failed", {}, "upstream_unavailable"],
  ])("[TWILIO-5] says why a call has failed: %s %o", async (status, more, failure) => {
    const { callId, sid } = await connected({ status: "ringing", direction: "outbound" });
    const target = `/api/v1/calls/twilio/reports?about=call&call_id=${callId}`;
    await signedPost(target, { CallSid: sid, CallStatus: status, SequenceNumber: "2", ...more });
    expect(await api.state.calls.get(callId)).toMatchObject({ status: "failed", failureCode: failure });
  });
});
