/**
 * A host with one place, on the local telephone network, with the vendor's SDK and real sockets: what callers hear for whom
 * there is none, and how somebody is introduced who is put through. Rules: docs/calls.md, FULL and EFFECT-11.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { eventsOf, startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";
import { eventually } from "../support/wait.ts";

const personNumber = "+12025550150";
let rig: PhoneRig;

beforeAll(async () => {
  rig = await startPhoneRig(
    {},
    {
      MAX_SESSIONS: "1",
      COMM_WHEN_FULL: "message",
      COMM_FULL_MESSAGE: "All lines are taken. Goodbye.",
      COMM_TRANSFERS: "warm",
      COMM_DESTINATIONS: `person=${personNumber}`,
    },
  );
});

afterAll(async () => {
  await rig.close();
});

function requests(operation: string): number {
  return rig.network.emulator.requests.filter((request) => request.operation === operation).length;
}

describe("a full house", () => {
  it("[FULL-2a] [FULL-3] [FULL-6] tells a caller so and hangs up, and places no call", async () => {
    const first = rig.network.expectCall({ actions: [], staysOnTheLine: true });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    // The place is kept from the very moment on: the phone has not even rung.
    const refused = await rig.post("/calls/initiate", { target_number: phoneNumbers.colleague });
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    await rig.hasStatus(callId, "connected");
    const second = await rig.network.call({ actions: [], staysOnTheLine: true });
    expect(eventsOf("heard", second.events)).toHaveLength(1);
    expect(eventsOf("ended", second.events)).toMatchObject([{ why: "the service hung up" }]);
    const { calls } = await rig.service.state.calls.list({ offset: 0, limit: 10 });
    const inbound = calls.find(({ call }) => call.direction === "inbound")?.call.callId ?? "";
    await rig.hasStatus(inbound, "disconnected");
    expect(await rig.shown(inbound)).toMatchObject({ failure: { code: "all_places_taken" } });
    await rig.hangUp(callId);
    await first.finished;
  });
});

describe("a warm transfer", () => {
  it("[EFFECT-11a] [EFFECT-11b] introduces the caller while they hear music, and leaves the two alone", async () => {
    const isFree = async (): Promise<boolean> => (await rig.service.state.hosts.list())[0]?.placesTaken === 0;
    await eventually(isFree, "the place is free");
    const phone = rig.network.expectCall({
      actions: [{ kind: "say", text: "I want to talk to a person" }, { kind: "listen" }, { kind: "listen" }],
      staysOnTheLine: true,
    });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await rig.hasStatus(callId, "connected");
    const person = rig.network.expectCall({ actions: [{ kind: "say", text: "I lost my card" }], patienceMs: 3000 });
    await phone.finished;
    await person.finished;
    expect(requests("POST /calling/callConnections/{id}/participants:add")).toBe(1);
    expect(requests("POST /calling/callConnections/{id}:transferToParticipant")).toBe(0);
    // The person has heard who it is before saying a word, which the caller then hears.
    expect(person.events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["heard", "said", "ended"]));
    expect(eventsOf("heard", person.events)[0]?.forMs).toBeGreaterThan(2000);
    expect(eventsOf("ended", phone.events)).toMatchObject([{ why: "the other one hung up" }]);
    await rig.hasStatus(callId, "disconnected");
    expect(await rig.log(callId)).toEqual(expect.arrayContaining(["AddParticipantSucceeded", "PlayCompleted"]));
  });

  it("[EFFECT-16b] to an answering machine gives the caller back, and says that nobody was reached", async () => {
    const isFree = async (): Promise<boolean> => (await rig.service.state.hosts.list())[0]?.placesTaken === 0;
    await eventually(isFree, "the place is free");
    const phone = rig.network.expectCall({
      actions: [{ kind: "say", text: "I want to talk to a person" }, { kind: "listen" }],
      staysOnTheLine: true,
    });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await rig.hasStatus(callId, "connected");
    const greeting = "Hello, this is the home of Pat. Please leave a message after the tone.";
    const machine = rig.network.expectCall({ actions: [], machine: { greeting, beeps: true } });
    await machine.finished;
    const isTold = async (): Promise<boolean> =>
      (await rig.spoken(callId)).at(-1)?.includes("could not get through") ?? false;
    await eventually(isTold, "the caller is told");
    expect((await rig.call(callId)).status).toBe("connected");
    expect(eventsOf("ended", machine.events)).toMatchObject([{ why: "the service hung up" }]);
    await rig.hangUp(callId);
    await phone.finished;
  });
});
