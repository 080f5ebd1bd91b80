/**
 * Phone calls while what they stand on goes away and comes back: a streaming host that is deployed anew, the functions
 * app, Redis. Real processes, real speech. Rules: docs/calls.md, CACHE and ONCE; docs/conversation.md, DRAIN.
 */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import type { PhoneAction, PhoneEvent } from "../../local/phone/phone-script.ts";
import type { ScriptedPhone } from "../../local/phone/scripted-phone.ts";
import type { BookingOffice } from "../support/booking-office.ts";
import type { CallFleet } from "../support/call-fleet.ts";
import { clerkBooked as booked, clerkGreeting as greeting, startClerkFleet } from "../support/clerk-fleet.ts";
import type { ClerkFleet } from "../support/clerk-fleet.ts";
import { isSpeaking } from "../support/live-events.ts";
import type { LiveEvents } from "../support/live-events.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { eventually } from "../support/wait.ts";
import { eventsOf } from "../support/phone-rig.ts";

const story = expect.stringContaining("assistant: Once upon a time");
const storyAndTable = [greeting, "user: tell me a story", story, "user: please book a table", booked];
const say = (text: string): PhoneAction => ({ kind: "say", text });
/** `CALL_KILLS=2`: what takes longer, too. */
const isThorough = process.env["CALL_KILLS"] !== undefined;
/** Longer than the 5 s that are for leaving: two turns. */
const drainTimeoutS = 12;
/** Shorter than a call with a story in it. */
const callTimeoutS = 12;

describe.skipIf(!isRedisAvailable())("a phone call", () => {
  let rig: ClerkFleet;
  let fleet: CallFleet;
  let office: BookingOffice;
  let live: LiveEvents;

  beforeAll(async () => {
    rig = await startClerkFleet({
      hosts: 2,
      packages: inject("packages"),
      environment: {
        DRAIN_TIMEOUT: `${drainTimeoutS}`,
        COMM_CALL_TIMEOUT: `${callTimeoutS}`,
        CACHE_OPERATION_TIMEOUT: "2",
      },
    });
    ({ fleet, office, live } = rig);
  });

  afterAll(async () => {
    await rig.close();
  });

  /** Nobody waited in vain, the phone ended the call itself, and the record and the conversation are complete. */
  async function expectUnharmed(phone: ScriptedPhone, spoken: readonly unknown[]): Promise<void> {
    expect(eventsOf("nothing-heard", phone.events)).toEqual([]);
    expect(eventsOf("ended", phone.events)).toMatchObject([{ why: "the phone hung up" }]);
    const { call } = await fleet.latestCall();
    expect(await fleet.ended(call.callId)).toMatchObject({ status: "disconnected" });
    await eventually(async () => (await fleet.spoken(call)).length >= spoken.length, "the last word is stored");
    expect(await fleet.spoken(call)).toEqual(spoken);
    // What was on its way is delivered again, and each time later than the time before.
    const logged = async (type: string): Promise<number> =>
      (await fleet.state.calls.events(call.callId)).filter((entry) => entry.type.endsWith(type)).length;
    for (const type of ["CallConnected", "CallDisconnected"])
      await eventually(async () => (await logged(type)) > 0, `${type} is in the log`);
    const log = await fleet.state.calls.events(call.callId);
    expect(new Set(log.map(({ eventId }) => eventId)).size).toBe(log.length);
    expect([await logged("CallConnected"), await logged("CallDisconnected")]).toEqual([1, 1]);
  }

  it("[ONCE-6] [CB-5a] [MEDIA-6] goes on while the functions app restarts, and its callbacks are handled afterwards", async () => {
    // The phone may ring before whoever asked for the call has the answer to that.
    const ringing = Promise.withResolvers<void>();
    const phone = fleet.network.expectCall(
      { actions: [say("Tell me a story"), say("Please book a table")], pickUpAfterMs: 1000 },
      ({ kind }) => {
        if (kind === "ringing") ringing.resolve();
      },
    );
    await Promise.all([fleet.initiate({ target_number: phoneNumbers.person }), ringing.promise]);
    // Nobody hears that it was picked up, for longer than it may ring.
    await fleet.functions.kill();
    await phone.finished;
    expect(eventsOf("ended", phone.events)[0]?.atMs).toBeGreaterThan(callTimeoutS * 1000);
    expect((await fleet.latestCall()).call.status).toBe("connected");
    await fleet.functions.start();
    await expectUnharmed(phone, storyAndTable);
  });

  let thaw: () => void = () => undefined;
  const outages = [
    {
      name: "[CACHE-1] [CACHE-2] [CACHE-3] goes on while Redis restarts",
      leave: () => fleet.redis.kill(),
      comeBack: () => fleet.redis.start(),
    },
    {
      name: "[CACHE-1] [CACHE-2] [CACHE-3] goes on while Redis hangs",
      leave: async () => {
        thaw = fleet.redis.freeze();
      },
      comeBack: async () => thaw(),
    },
  ];

  const outagesNow = outages.slice(0, isThorough ? 2 : 1).map((outage) => [outage.name, outage] as const);

  it.each(outagesNow)("%s", async (_name, { leave, comeBack }) => {
    const events: PhoneEvent[] = [];
    const bookingsBefore = office.bookings;
    let outage: Promise<void> | undefined;
    async function runOutage(): Promise<void> {
      await leave();
      await eventually(() => eventsOf("ended", events).length === 1, "the whole conversation was without it");
      expect((await fleet.get("/calls/")).status).toBe(503);
      await comeBack();
      await eventually(async () => (await fleet.get("/calls/")).status === 200, "the functions have it back");
      await eventually(async () => (await fleet.state.ping()).latencyMs >= 0, "and so have we");
    }
    const phone = fleet.network.expectCall(
      { actions: [say("Tell me a story"), say("Please book a table")] },
      (event) => {
        events.push(event);
        if (event.kind === "heard") outage ??= runOutage();
      },
    );
    await fleet.initiate({ target_number: phoneNumbers.person });
    await eventually(() => outage !== undefined, "the greeting was heard");
    await phone.finished;
    await outage;
    await expectUnharmed(phone, storyAndTable);
    expect(office.bookings - bookingsBefore).toBe(1);

    // The consumer group works as before: the next call is placed, once.
    const callsBefore = fleet.network.emulator.calls.length;
    const next = fleet.network.expectCall({ actions: [] });
    await fleet.initiate({ target_number: phoneNumbers.person });
    await next.finished;
    await expectUnharmed(next, [greeting]);
    expect(fleet.network.emulator.calls).toHaveLength(callsBefore + 1);
    expect(await fleet.state.events.deadLetters(1)).toEqual([]);
  });

  // The last one, because it leaves one host.
  it("[DRAIN-3] [DRAIN-4] [TAKE-1] is not cut by a deploy, and the caller hears nothing of it", async () => {
    const turns = 3;
    let stopping: Promise<number | null> | undefined;
    let refusing: Promise<Response> | undefined;
    const events: PhoneEvent[] = [];
    const phone = fleet.network.expectCall(
      // Short turns: in any 5 s there is a moment in which nobody speaks.
      { actions: Array.from({ length: turns }, () => say("Please book a table")) },
      (event) => {
        events.push(event);
        if (eventsOf("said", events).length !== 1 || stopping !== undefined) return;
        const host = fleet.carrier();
        stopping = host.stop();
        refusing = eventually(
          async () => (await fetch(`http://127.0.0.1:${host.port}/readyz`)).status === 503,
          "it says that it drains",
        ).then(() => fetch(`http://127.0.0.1:${host.port}/readyz`));
      },
    );
    await fleet.initiate({ target_number: phoneNumbers.person });
    await eventually(() => stopping !== undefined, "the deploy begins");
    const old = fleet.carrier();
    expect(await (await refusing)?.json()).toEqual({ draining: true });
    await eventually(
      async () => (await fleet.state.hosts.list()).some(({ draining }) => draining),
      "so does its heartbeat",
    );

    // A call that comes meanwhile is answered and carried by the host that stays.
    const other = fleet.network.call({ actions: [] });
    await live.next(isSpeaking);
    expect(fleet.carrier()).not.toBe(old);
    await other;

    await phone.finished;
    expect(await stopping).toBe(0);
    const { calls } = await fleet.state.calls.list({ offset: 0, limit: 2 });
    const outbound = calls.find(({ call }) => call.direction === "outbound")?.call ?? expect.fail("no outbound call");
    await fleet.ended(outbound.callId);
    expect(eventsOf("nothing-heard", phone.events)).toEqual([]);
    expect(eventsOf("ended", phone.events)).toMatchObject([{ why: "the phone hung up" }]);
    const emulated = fleet.network.emulator.calls.find(({ id }) => id === outbound.callConnectionId);
    expect(emulated?.streams.interruptions).toEqual([1001]);
    const turn = ["user: please book a table", booked];
    expect(await fleet.spoken(outbound)).toEqual([greeting, ...Array.from({ length: turns }, () => turn).flat()]);
    expect(await fleet.state.events.deadLetters(1)).toEqual([]);
  });
});
