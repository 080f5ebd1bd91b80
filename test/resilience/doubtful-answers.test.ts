/**
 * Phone calls while a gateway answers in the service's place, and while the service denies calls that go on. Rules: docs/calls.md,
 * LOST, IN and END.
 */
import { createScaledClock } from "@voice/shared/platform/scaled-clock";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { noSuchCall, noSuchResource, type Interference } from "../../local/emulators/comm/interference.ts";
import type { EmulatedCall } from "../../local/emulators/comm/emulated-call.ts";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";
import { eventually } from "../support/wait.ts";

let rig: PhoneRig;
// A minute has to pass before the service is asked about a call from which nothing is heard.
const clock = createScaledClock(20);
const asking = "GET /calling/callConnections/{id}";
const hangingUp = "POST /calling/callConnections/{id}:terminate";

beforeAll(async () => {
  rig = await startPhoneRig({ clock });
});

beforeEach(() => {
  rig.network.emulator.interfere = () => undefined;
});

afterAll(async () => {
  await rig.close();
});

function counted(operation: string): number {
  return rig.network.emulator.requests.filter((request) => request.operation === operation).length;
}

/** Picked up by somebody who says nothing and stays on the line until the test hangs up. */
async function inConversation(): Promise<{ readonly callId: string; readonly line: EmulatedCall }> {
  rig.network.expectCall({ actions: [{ kind: "wait", durationMs: 600_000 }] });
  const callId = await rig.initiate({ target_number: phoneNumbers.person, streaming_mode: "TRANSCRIPTION" });
  await rig.hasStatus(callId, "connected");
  const line = rig.emulated(await rig.call(callId));
  await eventually(() => line.streams.opened > 0, "its stream is open");
  return { callId, line };
}

it.each([
  ["a gateway answers in the service's place", noSuchResource],
  ["a gateway answers with a page", { status: 404, contentType: "text/html", text: "<html>404</html>" }],
  ["the service denies it", noSuchCall],
] satisfies [string, Interference][])(
  "[LOST-3] [LOST-4] a call whose audio arrives goes on while %s",
  async (_how, answer) => {
    const { callId, line } = await inConversation();
    const before = counted(asking);
    rig.network.emulator.interfere = () => answer;
    await eventually(() => counted(asking) >= before + 2, "the service is asked twice");
    expect((await rig.call(callId)).status).toBe("connected");
    // The service opens the stream again, and it is taken.
    const { opened } = line.streams;
    line.streams.break();
    await eventually(() => line.streams.opened > opened, "the stream is open again");
    expect((await rig.call(callId)).status).toBe("connected");
    rig.network.emulator.interfere = () => undefined;
    await rig.hangUp(callId);
    await rig.hasStatus(callId, "disconnected");
  },
);

it("[END-10b] a hang-up that is answered in the service's place is repeated until the phone is silent", async () => {
  const { callId, line } = await inConversation();
  const before = counted(hangingUp);
  rig.network.emulator.interfere = (operation) => (operation === hangingUp ? noSuchResource : undefined);
  await rig.post("/calls/terminate", { call_id: callId });
  await eventually(() => counted(hangingUp) >= before + 7, "it is hung up again and again");
  expect(line.state).toBe("connected");
  rig.network.emulator.interfere = () => undefined;
  await eventually(() => line.state === "disconnected", "the phone is silent");
  await rig.hasStatus(callId, "disconnected");
});

it("[IN-7a] a caller is answered although something else than the service answers first", async () => {
  const answering = "POST /calling/callConnections:answer";
  const before = counted(answering);
  rig.network.emulator.interfere = (operation) =>
    operation === answering && counted(answering) < before + 2 ? noSuchResource : undefined;
  const phone = rig.network.call({ actions: [] });
  await eventually(() => counted(answering) >= before + 3, "the answer is tried again");
  await phone;
  const { calls } = await rig.service.state.calls.list({ offset: 0, limit: 1 });
  const callId = calls[0]?.call.callId ?? "";
  await rig.hasStatus(callId, "disconnected");
  expect((await rig.call(callId)).connectedAtMs).toBeDefined();
});
