/** An answering machine takes the call: what the service makes of it, with real audio on both sides. Rules: docs/calls.md. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { eventually } from "../support/wait.ts";
import { eventsOf, startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";

/** A little longer than the 5 s from which on somebody may be a machine; words that nobody expects cost the recogniser most. */
const greeting = "Hello, this is the home of Pat and Alex. We are out at the moment, and we will be back on Monday.";

let rig: PhoneRig;

beforeAll(async () => {
  rig = await startPhoneRig(
    {},
    {
      COMM_VOICEMAIL: "message",
      COMM_VOICEMAIL_MESSAGE: "This is {{ institution_name }} for {{ context.who }}. Goodbye.",
    },
  );
});

afterAll(async () => {
  await rig.close();
});

async function logged(callId: string, wanted: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const log = await rig.service.state.calls.events(callId);
  return log.find(({ type }) => type === wanted)?.details;
}
const detected = (callId: string) => logged(callId, "voicemail.detected");

/** Written after the call was hung up. */
async function endedBecause(callId: string, reason: string): Promise<void> {
  const isSaid = async (): Promise<boolean> => (await logged(callId, "conversation.ended"))?.["reason"] === reason;
  await eventually(isSaid, `the log gives the reason "${reason}"`);
}

async function isOver(callId: string): Promise<void> {
  await eventually(async () => (await rig.call(callId)).status === "disconnected", "the call is over");
}

describe("an answering machine", () => {
  it.each([
    ["after its beep", true],
    ["after its greeting where it has no beep", false],
  ])("[VM-1a] [VM-1b] [VM-2] gets the message %s, whole, and then the call ends", async (_when, beeps) => {
    const phone = rig.network.expectCall({ actions: [], machine: { greeting, beeps } });
    const callId = await rig.initiate({ target_number: phoneNumbers.person, context: { who: "Pat" } });
    await phone.finished;
    const [recorded] = eventsOf("heard", phone.events);
    expect(recorded?.forMs).toBeGreaterThan(1500);
    expect((await rig.spokenInAll(callId)).at(-1)).toBe("assistant: This is Harbor Bank for Pat. Goodbye.");
    expect(eventsOf("ended", phone.events)).toMatchObject([{ why: "the service hung up" }]);
    await isOver(callId);
    expect((await rig.call(callId)).answeredBy).toBe("machine");
    expect(await detected(callId)).toMatchObject({ answer: "message" });
    await endedBecause(callId, "voicemail_message_left");
  });

  it("[VM-3] is hung up on where the call asks for that", async () => {
    const phone = rig.network.expectCall({ actions: [], machine: { greeting, beeps: true } });
    const callId = await rig.initiate({ target_number: phoneNumbers.person, voicemail: "hang-up" });
    await phone.finished;
    await isOver(callId);
    expect(await detected(callId)).toMatchObject({ answer: "hang-up" });
    await endedBecause(callId, "voicemail");
  });

  it("[VM-3] is only noted where the call asks for that", async () => {
    const callId = await rig.initiate({ target_number: phoneNumbers.machine, voicemail: "ignore" });
    await eventually(async () => (await rig.call(callId)).status === "disconnected", "the machine hangs up");
    expect(await detected(callId)).toMatchObject({ answer: "ignore" });
    expect(await logged(callId, "conversation.ended")).toBeUndefined(); // it went on as long as the machine did
  });
});

describe("a business", () => {
  it.each(["hang-up", "message"])(
    "[VM-6] is no machine because its receptionist says who she is: %s",
    async (voicemail) => {
      const text = "Good morning, Miller and Sons dental practice, you are speaking with Anna, how can I help you?";
      const phone = rig.network.expectCall({ actions: [{ kind: "say", text }] });
      const callId = await rig.initiate({ target_number: phoneNumbers.person, voicemail });
      await phone.finished;
      expect(await detected(callId)).toBeUndefined();
      expect((await rig.call(callId)).answeredBy).toBeUndefined();
    },
  );
});

describe("a person", () => {
  it("[VM-1e] is not taken for a machine", async () => {
    const phone = rig.network.expectCall({ actions: [{ kind: "say", text: "I want to check my balance" }] });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await phone.finished;
    expect(await rig.spokenInAll(callId)).toContain("assistant: Sure. Checking or savings?");
    expect(await detected(callId)).toBeUndefined();
    expect((await rig.call(callId)).answeredBy).toBeUndefined();
  });
});
