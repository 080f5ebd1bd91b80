/** A service none of whose events arrive: BASE_URL is wrong, or the way is blocked. Rules: docs/calls.md, LOST and END. */
import { createScaledClock } from "@voice/shared/platform/scaled-clock";
import { pause } from "@voice/shared/platform/pause";
import { afterAll, beforeAll, expect, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";
import { eventually } from "../support/wait.ts";

const clock = createScaledClock(20);
/** Longer than any pause after which a call that goes on is hung up again. */
const longerThanAnyPauseMs = 70_000;
let rig: PhoneRig;

beforeAll(async () => {
  rig = await startPhoneRig({ clock, deliveryFaults: { lost: "all" } });
});

afterAll(async () => {
  await rig.close();
});

it("[END-10c] a call that we end is over in its record, and is not hung up for ever", async () => {
  rig.network.expectCall({ actions: [{ kind: "wait", durationMs: 600_000 }] });
  const callId = await rig.initiate({ target_number: phoneNumbers.person, streaming_mode: "TRANSCRIPTION" });
  await rig.hasStatus(callId, "connected");
  await rig.post("/calls/terminate", { call_id: callId });
  await rig.hasStatus(callId, "disconnected");
  await eventually(async () => (await rig.log(callId)).includes("presumed-over"), "what that rests on is logged");
  const hangUps = () =>
    rig.network.emulator.requests.filter(({ operation }) => operation.endsWith(":terminate")).length;
  const made = hangUps();
  await pause(clock, longerThanAnyPauseMs);
  expect(hangUps()).toBe(made);
});

it("[LOST-5a] a call that the far end ends is over in its record", async () => {
  const phone = rig.network.expectCall({ actions: [] });
  const callId = await rig.initiate({ target_number: phoneNumbers.person });
  await phone.finished;
  await rig.hasStatus(callId, "disconnected");
  expect((await rig.call(callId)).endedByService).toBeUndefined();
});
