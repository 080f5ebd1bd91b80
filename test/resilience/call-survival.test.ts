/**
 * A phone call outlives the process that works on it, whatever that was doing when it died: real host processes, Redis,
 * the functions, the telephone network, real speech, and SIGKILL. Rules: docs/calls.md, TAKE and ONCE.
 */
import { beforeAll, describe, expect, inject, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import type { PhoneAction, PhoneEvent, PhoneScript } from "../../local/phone/phone-script.ts";
import type { BookingOffice } from "../support/booking-office.ts";
import type { CallFleet } from "../support/call-fleet.ts";
import { clerkBooked as booked, clerkGreeting as greeting, startClerkFleet } from "../support/clerk-fleet.ts";
import type { ClerkFleet } from "../support/clerk-fleet.ts";
import { isSpeaking } from "../support/live-events.ts";
import type { LiveEvents } from "../support/live-events.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { restartBetweenTests } from "../support/restarts.ts";
import { eventually, sleep } from "../support/wait.ts";
import { eventsOf } from "../support/phone-rig.ts";

const operations = {
  place: "POST /calling/callConnections",
  answer: "POST /calling/callConnections:answer",
  transfer: "POST /calling/callConnections/{id}:transferToParticipant",
  hangUp: "POST /calling/callConnections/{id}:terminate",
} as const;

const asksAgain = expect.stringContaining("Could you say that again?");

/** How many kills; set for a long run that covers every phase. */
const hasTimeForAll = process.env["CALL_KILLS"] !== undefined;

const say = (text: string): PhoneAction => ({ kind: "say", text });

type RequestCounts = Readonly<Record<"place" | "answer" | "transfer" | "hangUp", number>>;

interface Phase {
  readonly name: string;
  /** Told apart from another phase by one thing only; runs where there is time (`CALL_KILLS`). */
  readonly isThorough?: boolean;
  readonly direction?: "inbound";
  readonly does: readonly PhoneAction[];
  readonly staysOnTheLine?: boolean;
  /**
   * Hangs up once all is said. To a caller who has heard half of a sentence, the silence until another host has the call sounds like
   * the end of it.
   */
  readonly hearsAll?: boolean;
  /** Resolves when the host that is to die in this phase is dead. */
  readonly strike: () => Promise<void>;
  /** In whole, in this order, nothing between. */
  readonly spoken: readonly unknown[];
  /** How often the service was asked, beyond the one request that begins the call. */
  readonly requests?: Partial<RequestCounts>;
  readonly bookings?: number;
  readonly endedBy?: string;
}

describe.skipIf(!isRedisAvailable())("a phone call whose host is killed", () => {
  let rig: ClerkFleet;
  let fleet: CallFleet;
  let office: BookingOffice;
  let live: LiveEvents;
  let phoneEvents: PhoneEvent[];
  // Two hosts are left for the next phase; the one that died in this one starts meanwhile.
  restartBetweenTests(() => ({ fleet, close: () => rig.close() }));

  beforeAll(async () => {
    rig = await startClerkFleet({
      hosts: 3,
      packages: inject("packages"),
      ringMs: 5000,
      environment: { COMM_DESTINATIONS: `person=${phoneNumbers.noAnswer}` },
    });
    ({ fleet, office, live } = rig);
  });

  function requestsSoFar(): RequestCounts {
    const { place, answer, transfer, hangUp } = operations;
    return {
      place: fleet.requests(place),
      answer: fleet.requests(answer),
      transfer: fleet.requests(transfer),
      hangUp: fleet.requests(hangUp),
    };
  }

  function requestsSince(before: RequestCounts): RequestCounts {
    const now = requestsSoFar();
    return {
      place: now.place - before.place,
      answer: now.answer - before.answer,
      transfer: now.transfer - before.transfer,
      hangUp: now.hangUp - before.hangUp,
    };
  }

  async function killMaker(operation: string, carriedOut: "carried out" | "not carried out"): Promise<void> {
    await fleet.makerOf(await fleet.network.emulator.holdNext(operation, carriedOut)).kill();
  }

  async function killCarrierWhen(moment: Promise<unknown>): Promise<void> {
    await moment;
    await fleet.carrier().kill();
  }

  async function phoneHas(kind: PhoneEvent["kind"]): Promise<void> {
    await eventually(() => eventsOf(kind, phoneEvents).length === 1, `the phone has ${kind}`);
  }

  /** Some way into a sentence of four seconds; where exactly makes no difference. */
  async function isSaying(): Promise<void> {
    await phoneHas("said");
    await sleep(1000);
  }

  /** The greeting came before; from here the answer has its whole length for the kill. */
  async function answerHasBegun(): Promise<void> {
    await phoneHas("said");
    await live.next(isSpeaking);
  }

  const phases: readonly Phase[] = [
    {
      name: "[ONCE-2] [OUT-1] while it is being placed, before the request went out",
      does: [],
      strike: () => killMaker(operations.place, "not carried out"),
      spoken: [greeting],
    },
    {
      name: "[ONCE-3] [OUT-2] while it is being placed, after the request went out",
      does: [],
      strike: () => killMaker(operations.place, "carried out"),
      spoken: [greeting],
    },
    {
      name: "[ONCE-2] [IN-1] while it is being answered, before the request went out",
      isThorough: true,
      direction: "inbound",
      does: [],
      strike: () => killMaker(operations.answer, "not carried out"),
      spoken: [greeting],
    },
    {
      name: "[ONCE-3] [IN-1] while it is being answered, after the request went out",
      direction: "inbound",
      does: [],
      strike: () => killMaker(operations.answer, "carried out"),
      spoken: [greeting],
    },
    {
      name: "[TAKE-3a] while the caller speaks",
      does: [say("Please tell me a very long story about the sea and the ships"), say("Please book a table")],
      hearsAll: true,
      strike: () => killCarrierWhen(isSaying()),
      spoken: [greeting, asksAgain, "user: please book a table", booked],
      bookings: 1,
    },
    {
      name: "[TAKE-3c] while nobody speaks",
      isThorough: true,
      does: [{ kind: "listen" }, say("Please book a table")],
      hearsAll: true,
      strike: () => killCarrierWhen(phoneHas("heard")),
      spoken: [greeting, asksAgain, "user: please book a table", booked],
      bookings: 1,
    },
    {
      name: "[TAKE-4d] while a tool with a lasting effect runs",
      does: [say("Please book a table")],
      hearsAll: true,
      strike: () => killCarrierWhen(office.holdNext()),
      spoken: [greeting, "user: please book a table", expect.stringContaining("cannot tell whether it went through")],
      bookings: 1,
    },
    {
      name: "[TAKE-2a] while the agent speaks",
      does: [say("Please book a table")],
      hearsAll: true,
      strike: () => killCarrierWhen(answerHasBegun()),
      spoken: [greeting, "user: please book a table", booked],
      bookings: 1,
    },
    {
      name: "[TAKE-5] [EFFECT-6] while a transfer rings",
      does: [say("I want to talk to a person"), { kind: "listen" }],
      strike: () => {
        const before = fleet.requests(operations.transfer);
        return killCarrierWhen(eventually(() => fleet.requests(operations.transfer) > before, "it rings"));
      },
      spoken: [
        greeting,
        "user: i want to talk to a person",
        expect.stringContaining("connecting you to a person"),
        expect.stringMatching(/^assistant: I am sorry/),
      ],
      requests: { transfer: 1 },
    },
    {
      name: "[TAKE-5] [END-3] during the goodbye",
      does: [say("Goodbye")],
      staysOnTheLine: true,
      strike: () => killCarrierWhen(answerHasBegun()),
      spoken: [greeting, "user: goodbye", expect.stringContaining("Goodbye")],
      requests: { hangUp: 1 },
      endedBy: "the service hung up",
    },
  ];

  const phasesNow = phases.filter(({ isThorough = false }) => hasTimeForAll || !isThorough);

  const onEvent = (event: PhoneEvent): void => void phoneEvents.push(event);

  async function dialIn(script: PhoneScript): Promise<void> {
    await fleet.network.call(script, onEvent);
  }

  async function dialOut(script: PhoneScript): Promise<void> {
    const phone = fleet.network.expectCall(script, onEvent);
    await fleet.initiate({ target_number: phoneNumbers.person });
    await phone.finished;
  }

  it.each(phasesNow.map((phase) => [phase.name, phase] as const))("%s", async (_name, phase) => {
    const callsBefore = fleet.network.emulator.calls.length;
    const requestsBefore = requestsSoFar();
    const bookingsBefore = office.bookings;
    phoneEvents = [];
    const struck = phase.strike();
    const leaving = new AbortController();
    const onlyListens = phase.does.length === 0;
    const hearsAll = phase.hearsAll ?? onlyListens;
    const script = {
      actions: phase.does,
      staysOnTheLine: phase.staysOnTheLine ?? hearsAll,
      leaves: leaving.signal,
    };
    const onCall = phase.direction === "inbound" ? dialIn(script) : dialOut(script);
    await struck;
    if (hearsAll) {
      if (onlyListens) await phoneHas("heard");
      const isAllSaid = async (): Promise<boolean> =>
        (await fleet.spoken((await fleet.latestCall()).call)).length === phase.spoken.length;
      await eventually(isAllSaid, "all is said");
      leaving.abort();
    }
    await onCall;
    const { call } = await fleet.latestCall();
    const ended = await fleet.ended(call.callId);

    const { calls } = fleet.network.emulator;
    expect(calls).toHaveLength(callsBefore + 1);
    expect(ended).toMatchObject({
      status: "disconnected",
      connectedAtMs: expect.any(Number),
      callConnectionId: calls.at(-1)?.id,
    });
    expect(eventsOf("nothing-heard", phoneEvents)).toEqual([]);
    expect(eventsOf("ended", phoneEvents)).toMatchObject([{ why: phase.endedBy ?? "the phone hung up" }]);
    await eventually(async () => (await fleet.spoken(call)).length >= phase.spoken.length, "the last word is stored");
    expect(await fleet.spoken(call)).toEqual(phase.spoken);
    expect(office.bookings - bookingsBefore).toBe(phase.bookings ?? 0);
    const isInbound = phase.direction === "inbound";
    expect(requestsSince(requestsBefore)).toEqual({
      place: isInbound ? 0 : 1,
      answer: isInbound ? 1 : 0,
      transfer: 0,
      hangUp: 0,
      ...phase.requests,
    });
    office.release();
  });
});
