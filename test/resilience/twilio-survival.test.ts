/**
 * A call at Twilio outlives the host that has its stream, or that was doing something to it: real host processes, Redis, the functions, Twilio's
 * emulator with its telephones, real speech, and SIGKILL. Rules: docs/calls.md, TWILIO and TAKE.
 */
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { EmulatedTwilioCall } from "../../local/emulators/twilio/emulated-call.ts";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import type { PhoneScript } from "../../local/phone/phone-script.ts";
import type { ScriptedPhone } from "../../local/phone/scripted-phone.ts";
import { startCallFleet } from "../support/call-fleet.ts";
import type { CallFleet } from "../support/call-fleet.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { watchLiveEvents } from "../support/live-events.ts";
import type { LiveEvents } from "../support/live-events.ts";
import { eventsOf } from "../support/phone-rig.ts";
import { restartBetweenTests } from "../support/restarts.ts";
import { callThatLosesTwoHosts } from "../support/takeovers.ts";
import { eventually } from "../support/wait.ts";

const operations = { place: "POST /Calls.json", update: "POST /Calls/{sid}.json" } as const;
const greeting = "assistant: What can I do for you?";
const timeout = 90_000;
type Outcome = "carried out" | "not carried out";

/** `CALL_KILLS=1`: what takes long, too. */
const onlyThoroughly: readonly Outcome[] = process.env["CALL_KILLS"] === undefined ? [] : ["carried out"];

describe.skipIf(!isRedisAvailable())("a call at Twilio whose host is killed", { timeout }, () => {
  let fleet: CallFleet;
  let live: LiveEvents;
  const restarts = restartBetweenTests(() => ({
    fleet,
    async close() {
      await live.close();
      await fleet.close();
    },
  }));

  beforeAll(async () => {
    fleet = await startCallFleet({
      hosts: 3,
      service: "twilio",
      packages: inject("packages"),
      environment: {
        CATALOG_DIR: fileURLToPath(new URL("../fixtures/effects-catalog", import.meta.url)),
        AGENT_SCENARIO: "effects",
        COMM_CALL_TIMEOUT: "15", // longer than the 6 s after which another host takes a dead one's work
        COMM_DESTINATIONS: `person=${phoneNumbers.noAnswer}`,
      },
    });
    live = await watchLiveEvents(fleet.state);
  });

  interface Struck {
    readonly phone: ScriptedPhone;
    readonly call: EmulatedTwilioCall;
    readonly callId: string;
  }

  /** Somebody is called, and the host that asks Twilio for something dies. */
  async function callAndKill(
    operation: string,
    outcome: Outcome,
    script: PhoneScript = { actions: [] },
  ): Promise<Struck> {
    await restarts.done();
    const { twilio } = fleet.network;
    const before = twilio.calls.length;
    const struck = twilio.holdNext(operation, outcome);
    const phone = fleet.network.expectCall({ staysOnTheLine: true, ...script });
    const callId = await fleet.initiate({ target_number: phoneNumbers.person });
    await fleet.makerOf(await struck).kill();
    await eventually(() => twilio.calls.length > before, "somebody is called");
    const call = twilio.calls[before];
    if (call === undefined) throw new Error("nobody was called");
    return { phone, call, callId };
  }

  async function hears(callId: string, words: RegExp): Promise<void> {
    const isSaid = async (): Promise<boolean> => (await spoken(callId)).some((line) => words.test(line));
    await eventually(isSaid, `the caller hears ${words.source}`);
  }

  async function spoken(callId: string): Promise<readonly string[]> {
    const call = await fleet.state.calls.get(callId);
    return call === undefined ? [] : fleet.spoken(call);
  }

  async function leave({ call, phone, callId }: Struck): Promise<void> {
    call.hangUp("phone");
    await phone.finished;
    expect(await fleet.ended(callId)).toMatchObject({ status: "disconnected" });
    expect(call.streams.flatMap(({ faults }) => faults)).toEqual([]);
  }

  const ways = ["goes on", "says nothing"] as const;

  it.each(ways)(
    "[TWILIO-10a] [TWILIO-10c] [TAKE-2a] has its stream on another host within 3 s, when Twilio %s",
    async (way) => {
      await restarts.done();
      fleet.network.twilio.onBrokenStream = way;
      const { phone, call, takeoversMs } = await callThatLosesTwoHosts(fleet, live, "Tell me a story");
      fleet.network.twilio.onBrokenStream = "goes on";
      await fleet.ended(call.callId);
      const whole = [greeting, "user: tell me a story", expect.stringContaining("assistant: Once upon a time")];
      await eventually(async () => (await fleet.spoken(call)).length >= whole.length, "the last word is stored");
      expect(await fleet.spoken(call)).toEqual(whole);
      expect(eventsOf("nothing-heard", phone.events)).toEqual([]);
      console.log(`Twilio ${way}; takeovers in ms: ${takeoversMs.join(" ")}`);
      expect(Math.max(...takeoversMs)).toBeLessThan(3000);
    },
  );

  it("[TWILIO-13] [ONCE-3] after it was placed, rings once", async () => {
    const callsBefore = fleet.network.twilio.calls.length;
    const struck = await callAndKill(operations.place, "carried out");
    await hears(struck.callId, /What can I do for you/);
    await leave(struck);
    expect(fleet.network.twilio.calls).toHaveLength(callsBefore + 1);
    expect(eventsOf("ringing", struck.phone.events)).toHaveLength(1);
    expect(await spoken(struck.callId)).toEqual([greeting]);
  });

  it.each(onlyThoroughly)("[TWILIO-8] while it is put on hold (%s), is given back", async (outcome) => {
    const actions = [{ kind: "say", text: "Put me on hold for seven seconds" }] as const;
    const struck = await callAndKill(operations.update, outcome, { actions });
    await hears(struck.callId, /back|holding|wait/i);
    const isBack = async (): Promise<boolean> =>
      struck.call.stream?.isOpen === true && (await fleet.state.calls.get(struck.callId))?.status === "connected";
    await eventually(isBack, "the caller is back");
    await leave(struck);
  });

  it.each(onlyThoroughly)("[TWILIO-7a] [TAKE-5] while a transfer rings (%s), is told of it", async (outcome) => {
    const actions = [{ kind: "say", text: "I want to talk to a person" }] as const;
    const struck = await callAndKill(operations.update, outcome, { actions });
    await hears(struck.callId, /^assistant: I am sorry/);
    await leave(struck);
    expect((await spoken(struck.callId)).filter((line) => line.includes("I am sorry"))).toHaveLength(1);
  });

  it("[TWILIO-9] [EFFECT-6] while keys are pressed, hears them once", async () => {
    const actions = [{ kind: "say", text: "Please press a key" }] as const;
    const struck = await callAndKill(operations.update, "carried out", { actions });
    await hears(struck.callId, /I have pressed it/);
    await leave(struck);
    expect(eventsOf("keys-heard", struck.phone.events)).toMatchObject([{ keys: "1" }]);
  });

  it("[END-6] before it was hung up, is hung up", async () => {
    const actions = [{ kind: "say", text: "Goodbye" }] as const;
    const struck = await callAndKill(operations.update, "not carried out", { actions });
    await struck.phone.finished;
    expect(eventsOf("ended", struck.phone.events)).toMatchObject([{ why: "the service hung up" }]);
    expect(await fleet.ended(struck.callId)).toMatchObject({ status: "disconnected" });
  });
});
