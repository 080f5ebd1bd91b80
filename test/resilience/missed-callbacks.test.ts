/** A service that tells each event of a call once, whether anybody hears it or not. Rules: docs/calls.md, LOST. */
import { createScaledClock } from "@voice/shared/platform/scaled-clock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { eventsOf, startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";

let rig: PhoneRig;

beforeAll(async () => {
  // A minute has to pass before a silent service is asked about its call.
  const clock = createScaledClock(20);
  const missed = [
    "CallConnected",
    "ParticipantsUpdated",
    "MediaStreamingStarted",
    "MediaStreamingStopped",
    "CallDisconnected",
  ];
  rig = await startPhoneRig({ clock, deliveryFaults: { missed, retries: "none" } });
});

afterAll(async () => {
  await rig.close();
});

it("[LOST-1] a call of which nothing is heard is held, and its end is found out", async () => {
  const phone = rig.network.expectCall({ actions: [] });
  const callId = await rig.initiate({ target_number: phoneNumbers.person });
  await phone.finished;
  expect(eventsOf("heard", phone.events)).toHaveLength(1);
  await rig.hasStatus(callId, "disconnected");
  expect(await rig.spokenInAll(callId)).toEqual([expect.stringContaining("assistant: Hello, this is Harbor Bank")]);
  expect(rig.network.emulator.callbacks.filter(({ status }) => status !== 0)).toEqual([]);
});
