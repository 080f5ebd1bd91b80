/**
 * A phone call outlives the process that works on it, whatever that was doing when it died: real host processes, Redis,
 * the functions, the telephone network, real speech, and SIGKILL. Rules: docs/calls.md, TAKE and ONCE.
 */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import type { PhoneEvent } from "../../local/phone/phone-script.ts";
import { startBookingOffice } from "../support/booking-office.ts";
import type { BookingOffice } from "../support/booking-office.ts";
import { startCallFleet } from "../support/call-fleet.ts";
import type { CallFleet } from "../support/call-fleet.ts";
import { isSpeaking, watchLiveEvents } from "../support/live-events.ts";
import type { LiveEvents } from "../support/live-events.ts";
import { isRedisAvailable } from "../support/redis-server.ts";
import { eventually, sleep } from "../support/wait.ts";
import { eventsOf } from "./support/phone-rig.ts";

const operations = {
  place: "POST /calling/callConnections",
  answer: "POST /calling/callConnections:answer",
  transfer: "POST /calling/callConnections/{id}:transferToParticipant",
  hangUp: "POST /calling/callConnections/{id}:terminate",
} as const;

const greeting = "assistant: Hello. What can I do?";
const story = expect.stringContaining("assistant: Once upon a time");
const asksAgain = expect.stringContaining("Could you say that again?");

interface Phase {
  readonly name: string;
  readonly direction?: "inbound";
  readonly says: readonly string[];
  readonly staysOnTheLine?: boolean;
  /** Resolves when the host that is to die in this phase is dead. */
  readonly strike: () => Promise<void>;
  /** In whole, in this order, nothing between. */
  readonly spoken: readonly unknown[];
  /** How often the service was asked, repetitions of lost requests included. */
  readonly requests: Partial<Record<keyof typeof operations, number>>;
  readonly bookings?: number;
  readonly endedBy?: string;
}

describe.skipIf(!isRedisAvailable())("a phone call whose host is killed", () => {
  let fleet: CallFleet;
  let office: BookingOffice;
  let live: LiveEvents;
  let phoneEvents: PhoneEvent[];

  beforeAll(async () => {
    office = await startBookingOffice();
    fleet = await startCallFleet({
      hosts: 3,
      ringMs: 5000,
      environment: {
        CATALOG_DIR: fileURLToPath(new URL("../fixtures/survival-catalog", import.meta.url)),
        AGENT_SCENARIO: "survival",
        MCP_SERVERS: `booking=${office.url}`,
        COMM_DESTINATIONS: `person=${phoneNumbers.noAnswer}`,
      },
    });
    live = await watchLiveEvents(fleet.state);
  }, 120_000);

  afterAll(async () => {
    await live.close();
    await fleet.close();
    await office.close();
  }, 30_000);

  async function killMaker(operation: string, carriedOut: "carried out" | "not carried out"): Promise<void> {
    await fleet.makerOf(await fleet.network.emulator.holdNext(operation, carriedOut)).kill();
  }

  async function killCarrierWhen(moment: Promise<unknown>): Promise<void> {
    await moment;
    await fleet.carrier().kill();
  }

  async function saidFor(ms: number): Promise<void> {
    await eventually(() => eventsOf("said", phoneEvents).length === 1, "the caller speaks", 30_000);
    await sleep(ms);
  }

  /** Of the answer: the greeting came before. */
  async function answerHeardFor(ms: number): Promise<void> {
    await eventually(() => eventsOf("said", phoneEvents).length === 1, "the caller speaks", 30_000);
    await live.next(isSpeaking);
    await sleep(ms);
  }

  const phases: readonly Phase[] = [
    {
      name: "[ONCE-2] [OUT-1] while it is being placed, before the request went out",
      says: [],
      strike: () => killMaker(operations.place, "not carried out"),
      spoken: [greeting],
      requests: { place: 1 },
    },
    {
      name: "[ONCE-3] [OUT-2] while it is being placed, after the request went out",
      says: [],
      strike: () => killMaker(operations.place, "carried out"),
      spoken: [greeting],
      requests: { place: 1 },
    },
    {
      name: "[ONCE-2] [IN-1] while it is being answered, before the request went out",
      direction: "inbound",
      says: [],
      strike: () => killMaker(operations.answer, "not carried out"),
      spoken: [greeting],
      requests: { answer: 1 },
    },
    {
      name: "[ONCE-3] [IN-1] while it is being answered, after the request went out",
      direction: "inbound",
      says: [],
      strike: () => killMaker(operations.answer, "carried out"),
      spoken: [greeting],
      requests: { answer: 1 },
    },
    {
      name: "[TAKE-3] while the caller speaks",
      says: ["Please tell me a very long story about the sea and the ships", "Tell me a story"],
      strike: () => killCarrierWhen(saidFor(1000)),
      spoken: [greeting, asksAgain, "user: tell me a story", story],
      requests: {},
    },
    {
      name: "[TAKE-4] while a tool with a lasting effect runs",
      says: ["Please book a table"],
      strike: () => killCarrierWhen(office.holdNext()),
      spoken: [greeting, "user: please book a table", expect.stringContaining("cannot tell whether it went through")],
      requests: {},
      bookings: 1,
    },
    {
      name: "[TAKE-2] while the agent speaks",
      says: ["Please book a table"],
      strike: () => killCarrierWhen(answerHeardFor(300)),
      spoken: [greeting, "user: please book a table", "assistant: Your table is booked."],
      requests: {},
      bookings: 1,
    },
    {
      name: "[TAKE-5] [EFFECT-6] while a transfer rings",
      says: ["I want to talk to a person", "Tell me a story"],
      strike: () => killCarrierWhen(eventually(() => fleet.requests(operations.transfer) > 0, "it rings", 30_000)),
      spoken: [
        greeting,
        "user: i want to talk to a person",
        expect.stringContaining("connecting you to a person"),
        expect.stringContaining("I could not get through"),
        "user: tell me a story",
        story,
      ],
      requests: { transfer: 2 },
    },
    {
      name: "[TAKE-5] [END-3] during the goodbye",
      says: ["Goodbye"],
      staysOnTheLine: true,
      strike: () => killCarrierWhen(answerHeardFor(300)),
      spoken: [greeting, "user: goodbye", expect.stringContaining("Goodbye")],
      requests: { hangUp: 1 },
      endedBy: "the service hung up",
    },
  ];

  it.each(phases)("$name", { timeout: 90_000 }, async (phase) => {
    const before = new Map(Object.values(operations).map((operation) => [operation, fleet.requests(operation)]));
    const [callsBefore, bookingsBefore] = [fleet.network.emulator.calls.length, office.bookings];
    phoneEvents = [];
    const script = {
      actions: phase.says.map((text) => ({ kind: "say" as const, text })),
      ...(phase.staysOnTheLine === undefined ? {} : { staysOnTheLine: phase.staysOnTheLine }),
    };
    const struck = phase.strike();
    const onEvent = (event: PhoneEvent): void => void phoneEvents.push(event);
    if (phase.direction === "inbound") await fleet.network.call(script, onEvent);
    else {
      const phone = fleet.network.expectCall(script, onEvent);
      await fleet.initiate({ target_number: phoneNumbers.person });
      await phone.finished;
    }
    await struck;
    const { call } = await fleet.latestCall();
    const ended = await fleet.ended(call.callId);

    expect(fleet.network.emulator.calls).toHaveLength(callsBefore + 1);
    expect(eventsOf("nothing-heard", phoneEvents)).toEqual([]);
    expect(eventsOf("ended", phoneEvents)).toMatchObject([{ why: phase.endedBy ?? "the phone hung up" }]);
    expect(ended).toMatchObject({ status: "disconnected", callConnectionId: fleet.network.emulator.calls.at(-1)?.id });
    await eventually(async () => (await fleet.spoken(call)).length >= phase.spoken.length, "the last word is stored");
    expect(await fleet.spoken(call)).toEqual(phase.spoken);
    expect(office.bookings - bookingsBefore).toBe(phase.bookings ?? 0);
    for (const [name, times] of Object.entries(phase.requests)) {
      const operation = operations[name as keyof typeof operations];
      expect(`${name} ${fleet.requests(operation) - (before.get(operation) ?? 0)}`).toBe(`${name} ${times}`);
    }
    office.release();
    await fleet.startWhatIsDown();
  });
});
