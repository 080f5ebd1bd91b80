/** A call that lasts as long as it may, over the local telephone network. Rules: docs/calls.md, END. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { eventsOf, startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";

const longestS = 10;

let rig: PhoneRig;

beforeAll(async () => {
  rig = await startPhoneRig({}, { COMM_MAX_CALL_DURATION: `${longestS}` });
});

afterAll(async () => {
  await rig.close();
});

it("[END-4] a call is ended with a goodbye when it has lasted as long as it may", async () => {
  // Silence would not end it before its time: after the greeting, somebody waits for 15 s.
  const phone = rig.network.expectCall({ actions: [{ kind: "say", text: "What can you do" }], staysOnTheLine: true });
  const callId = await rig.initiate({ target_number: phoneNumbers.person });
  await phone.finished;
  // On a slow machine the caller's words are understood when the agent already says goodbye, and stand after it.
  const ofTheAgent = (await rig.spokenInAll(callId)).filter((line) => line.startsWith("assistant: "));
  expect(ofTheAgent.at(-1)).toContain("This call has lasted as long as it may");
  const [ended] = eventsOf("ended", phone.events);
  expect(ended).toMatchObject({ why: "the service hung up" });
  expect(ended?.atMs).toBeGreaterThan(longestS * 1000);
  await rig.hasStatus(callId, "disconnected");
});
