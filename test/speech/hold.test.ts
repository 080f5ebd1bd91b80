/** A caller who is put on hold, over the local telephone network. Rules: docs/calls.md, EFFECT. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConversationRecording } from "../../local/person/conversation-recording.ts";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { eventually } from "../support/wait.ts";
import { eventsOf, startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";

let rig: PhoneRig;

beforeAll(async () => {
  rig = await startPhoneRig();
});

afterAll(async () => {
  await rig.close();
});

describe("hold", () => {
  const askFor = (seconds: string) => ({
    actions: [{ kind: "say", text: `please put me on hold for ${seconds} seconds` }] as const,
    staysOnTheLine: true,
  });

  async function saidAtLast(callId: string, words: string): Promise<void> {
    const isSaid = async (): Promise<boolean> => (await rig.spoken(callId)).at(-1)?.includes(words) ?? false;
    await eventually(isSaid, `the agent says "${words}"`);
  }

  it("[EFFECT-2a] [EFFECT-7a] [EFFECT-7b] plays music after it was announced, gives the caller back and says so", async () => {
    const phone = rig.network.expectCall(askFor("six"));
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await rig.hasStatus(callId, "on_hold");
    await saidAtLast(callId, "You will hear music for six seconds");
    await eventually(
      async () => (await rig.call(callId)).participants.some(({ status }) => status === "on_hold"),
      "the participant is on hold",
    );
    await saidAtLast(callId, "Thank you for holding");
    expect((await rig.call(callId)).status).toBe("connected");
    const [greeting] = eventsOf("heard", phone.events);
    // What the agent said after the greeting takes about six seconds, and the music as much again.
    expect(audibleMs(phone.recording) - (greeting?.forMs ?? 0)).toBeGreaterThan(9000);
    await rig.hangUp(callId);
    await phone.finished;
    expect(await rig.log(callId)).toEqual(expect.arrayContaining(["requested", "hold"]));
  });

  it("[EFFECT-4] [EFFECT-7c] says that it could not be done when the service cannot", async () => {
    const phone = rig.network.expectCall(askFor("fifty"));
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await rig.hasStatus(callId, "connected");
    rig.emulated(await rig.call(callId)).failHolds();
    await saidAtLast(callId, "I could not put you on hold");
    expect(await rig.log(callId)).toContain("HoldFailed");
    await rig.hangUp(callId);
    await phone.finished;
  });
});

/** How much of what the service sent was sound. */
function audibleMs(recording: ConversationRecording | undefined): number {
  if (recording === undefined) return 0;
  const samples = recording.agentOnly();
  const frame = recording.sampleRateHz / 50;
  let frames = 0;
  for (let at = 0; at < samples.length; at += frame)
    if (samples.subarray(at, at + frame).some((sample) => Math.abs(sample) > 300)) frames += 1;
  return frames * 20;
}
