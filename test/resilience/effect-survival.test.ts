/**
 * What an agent does to a call is done once, and is done, though its host dies right before or right after it has asked the
 * service: real host processes, Redis, the functions, the telephone network, real speech, and SIGKILL. Rules: docs/calls.md,
 * EFFECT and TAKE.
 */
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { EmulatedCall } from "../../local/emulators/comm/emulated-call.ts";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import type { PhoneScript } from "../../local/phone/phone-script.ts";
import type { ScriptedPhone } from "../../local/phone/scripted-phone.ts";
import { startCallFleet } from "../support/call-fleet.ts";
import type { CallFleet } from "../support/call-fleet.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { eventsOf } from "../support/phone-rig.ts";
import { restartBetweenTests } from "../support/restarts.ts";
import { eventually } from "../support/wait.ts";

const connection = "/calling/callConnections/{id}";
const operations = {
  keys: `POST ${connection}:sendDtmfTones`,
  hold: `POST ${connection}:hold`,
  invite: `POST ${connection}/participants:add`,
  introduce: `POST ${connection}:play`,
  leave: `DELETE ${connection}`,
  transfer: `POST ${connection}:transferToParticipant`,
  hangUp: `POST ${connection}:terminate`,
} as const;

const personNumber = "+12025550150";
/** `CALL_KILLS=1`: every effect, before and after its request. */
const isThorough = process.env["CALL_KILLS"] !== undefined;

interface Moment {
  readonly operation: string;
  readonly carriedOut: "carried out" | "not carried out";
}

const before = (operation: string): Moment => ({ operation, carriedOut: "not carried out" });
const after = (operation: string): Moment => ({ operation, carriedOut: "carried out" });

describe.skipIf(!isRedisAvailable())("an effect whose host is killed", () => {
  let fleet: CallFleet;
  const restarts = restartBetweenTests(() => ({ fleet, close: () => fleet.close() }));

  beforeAll(async () => {
    fleet = await startCallFleet({
      hosts: 3,
      packages: inject("packages"),
      environment: {
        CATALOG_DIR: fileURLToPath(new URL("../fixtures/effects-catalog", import.meta.url)),
        AGENT_SCENARIO: "effects",
        COMM_TRANSFERS: "warm",
        COMM_DESTINATIONS: `person=${personNumber}`,
      },
    });
  });

  /** Somebody asks for something, and the host that asks the service for it dies. */
  async function callAndKill(
    text: string,
    { operation, carriedOut }: Moment,
    script: Partial<PhoneScript> = {},
  ): Promise<{ readonly phone: ScriptedPhone; readonly call: EmulatedCall; readonly callId: string }> {
    await restarts.done();
    const callsBefore = fleet.network.emulator.calls.length;
    const struck = fleet.network.emulator.holdNext(operation, carriedOut);
    const phone = fleet.network.expectCall({ actions: [{ kind: "say", text }], staysOnTheLine: true, ...script });
    const callId = await fleet.initiate({ target_number: phoneNumbers.person });
    await fleet.makerOf(await struck).kill();
    const call = fleet.network.emulator.calls[callsBefore];
    if (call === undefined) throw new Error("nobody was called");
    return { phone, call, callId };
  }

  async function leave(call: EmulatedCall, phone: ScriptedPhone, callId: string): Promise<void> {
    call.hangUp("phone");
    await phone.finished;
    await fleet.ended(callId);
  }

  type Case = readonly [when: string, moment: Moment];

  /** The first of them always, the others where there is time. */
  function chosen(first: Case, ...others: readonly Case[]): readonly Case[] {
    return isThorough ? [first, ...others] : [first];
  }

  function onlyThoroughly(...cases: readonly Case[]): readonly Case[] {
    return isThorough ? cases : [];
  }

  it.each(
    chosen(
      ["before the service was asked", before(operations.keys)],
      ["after the service was asked", after(operations.keys)],
    ),
  )("[EFFECT-6] presses keys once: %s", async (_when, moment) => {
    const { phone, call, callId } = await callAndKill("Please press a key", moment);
    const said = async (): Promise<boolean> => (await lastWords(callId)).includes("I have pressed it.");
    await eventually(said, "the agent has said so");
    await eventually(() => eventsOf("keys-heard", phone.events).length > 0, "the keys were pressed");
    await leave(call, phone, callId);
    expect(eventsOf("keys-heard", phone.events)).toMatchObject([{ keys: "1" }]);
  });

  it.each(
    chosen(
      ["before the service was asked", before(operations.hold)],
      ["after the service was asked", after(operations.hold)],
    ),
  )("[EFFECT-6] [EFFECT-7b] [EFFECT-7d] plays music and gives the caller back: %s", async (_when, moment) => {
    const { phone, call, callId } = await callAndKill("Put me on hold for seven seconds", moment);
    await eventually(() => call.isOnHold, "the music plays");
    await eventually(() => !call.isOnHold, "the music has ended");
    const isBack = async (): Promise<boolean> => (await fleet.state.calls.get(callId))?.status === "connected";
    await eventually(isBack, "the record says so");
    await eventually(async () => /wait|back|hold/i.test(await lastWords(callId)), "the agent says so");
    await leave(call, phone, callId);
  });

  it.each(
    chosen(
      ["in the introduction", after(operations.introduce)],
      ["before somebody was called", before(operations.invite)],
      ["after somebody was called", after(operations.invite)],
      ["before we have left", before(operations.leave)],
      ["after we have left", after(operations.leave)],
    ),
  )("[EFFECT-11a] [EFFECT-13b] [EFFECT-13d] puts the caller through, once: %s", async (_when, moment) => {
    const asking = callAndKill("I want to talk to a person", moment);
    await eventually(() => fleet.network.emulator.calls.at(-1)?.state === "connected", "the caller is there");
    const person = fleet.network.expectCall({ actions: [{ kind: "say", text: "I lost my card" }], patienceMs: 3000 });
    const { phone, callId } = await asking;
    await person.finished;
    await phone.finished;
    await fleet.ended(callId);
    expect(eventsOf("ringing", person.events)).toHaveLength(1);
    expect(eventsOf("said", person.events)).toHaveLength(1);
    expect(eventsOf("ended", phone.events)).toMatchObject([{ why: "the other one hung up" }]);
  });

  it.each(
    onlyThoroughly(
      ["before the service was asked", before(operations.hangUp)],
      ["after the service was asked", after(operations.hangUp)],
    ),
  )("[END-3] [END-6] hangs up: %s", async (_when, moment) => {
    const { phone, callId } = await callAndKill("Goodbye", moment);
    await phone.finished;
    expect(eventsOf("ended", phone.events)).toMatchObject([{ why: "the service hung up" }]);
    expect(await fleet.ended(callId)).toMatchObject({ status: "disconnected" });
  });

  it.each(
    onlyThoroughly(
      ["before the service was asked", before(operations.transfer)],
      ["after the service was asked", after(operations.transfer)],
    ),
  )("[EFFECT-6] [TAKE-5] sends the caller to a person, once: %s", async (_when, moment) => {
    fleet.network.emulator.refuseGroupCalls(); // for good: this is the last one
    const asking = callAndKill("I want to talk to a person", moment);
    await eventually(() => fleet.network.emulator.calls.at(-1)?.state === "connected", "the caller is there");
    const person = fleet.network.expectCall({ actions: [{ kind: "say", text: "I lost my card" }], patienceMs: 3000 });
    const { phone, callId } = await asking;
    await person.finished;
    await phone.finished;
    await fleet.ended(callId);
    expect(eventsOf("ringing", person.events)).toHaveLength(1);
    expect(eventsOf("ended", phone.events)).toMatchObject([{ why: "the other one hung up" }]);
  });

  async function lastWords(callId: string): Promise<string> {
    const call = await fleet.state.calls.get(callId);
    return call === undefined ? "" : ((await fleet.spoken(call)).at(-1) ?? "");
  }
});
