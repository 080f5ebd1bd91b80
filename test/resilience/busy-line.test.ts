/**
 * A host with one place that turns calls away, on the local telephone network, with the vendor's SDK and real sockets. The
 * caller is sent to a colleague; while there is none, it rings until it is too late to answer. Rules: docs/calls.md, FULL.
 */
import { createScaledClock } from "@voice/shared/platform/scaled-clock";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { eventsOf, startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";
import { eventually } from "../support/wait.ts";

let rig: PhoneRig;
/** How many requests the service has had before this test, or this try of it. */
let requestsBefore = 0;

beforeAll(async () => {
  rig = await startPhoneRig(
    // It rings for half a minute before it is given up.
    { clock: createScaledClock(10) },
    { MAX_SESSIONS: "1", COMM_WHEN_FULL: "redirect", COMM_WHEN_FULL_TARGET: phoneNumbers.colleague },
  );
  // The only place is somebody's who is being called.
  await rig.service.state.callPlaces.keep("another-call", { free: 1, forMs: 600_000 });
});

beforeEach(() => {
  requestsBefore = rig.network.emulator.requests.length;
});

afterAll(async () => {
  await rig.close();
});

function answersTo(operation: string): readonly number[] {
  return rig.network.emulator.requests
    .slice(requestsBefore)
    .filter((request) => request.operation === operation)
    .map(({ status }) => status);
}

/** What is shown of the newest call that came in, once it is over. */
async function turnedAway(): Promise<unknown> {
  const { calls } = await rig.service.state.calls.list({ offset: 0, limit: 10 });
  const newest = calls.find(({ call }) => call.direction === "inbound")?.call.callId ?? "";
  await rig.hasStatus(newest, "failed");
  return rig.shown(newest);
}

it("[FULL-5] a call that finds no free place is redirected to a colleague by the service", async () => {
  const caller = await rig.network.call({ actions: [{ kind: "say", text: "hello" }] });
  expect(answersTo("POST /calling/callConnections:redirect")).toEqual([204]);
  // Robin's first words, and what is answered to the caller's.
  expect(eventsOf("heard", caller.events)).toHaveLength(2);
  expect(await turnedAway()).toMatchObject({ failure: { code: "all_places_taken" } });
});

it("[FULL-1] [FULL-5] a call that the service does not redirect rings on, and then is rejected as busy", async () => {
  rig.network.emulator.refuseNext(400);
  const caller = await rig.network.call({ actions: [{ kind: "say", text: "hello" }] });
  expect(answersTo("POST /calling/callConnections:redirect")).toEqual([400]);
  const rejections = (): readonly number[] => answersTo("POST /calling/callConnections:reject");
  await eventually(() => rejections().length > 0, "the service is told that nobody takes the call");
  expect(rejections()).toEqual([204]);
  expect(answersTo("POST /calling/callConnections:answer")).toEqual([]);
  expect(eventsOf("heard", caller.events)).toEqual([]);
  expect(await turnedAway()).toMatchObject({ failure: { code: "all_places_taken" } });
});
