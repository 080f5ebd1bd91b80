/**
 * What callers and callees wait for, with everything real but the telephone network, which rings and picks up at once:
 * `node test/bench/calls.ts [calls]`. How long it takes from asking for a call until the agent is heard, and from dialling
 * until the call is answered. What the death of a host takes: `takeovers.ts`.
 */
import { performance } from "node:perf_hooks";
import { readToolArguments } from "../../local/command-line/tool-arguments.ts";
import type { PhoneEvent } from "../../local/phone/phone-script.ts";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import type { CallFleet } from "../support/call-fleet.ts";
import { startClerkFleet } from "../support/clerk-fleet.ts";
import { summary } from "./percentiles.ts";

readToolArguments({
  name: "node test/bench/calls.ts",
  help: `How long it takes from asking for a call until the agent is heard, and from dialling until the call is answered.

  node test/bench/calls.ts [calls]    how many (10)`,
  allowPositionals: true,
});

const calls = Number(process.argv[2] ?? 10);
const shares = [0.5, 0.95, 1];

function greetingHeard(events: readonly PhoneEvent[]): number {
  const heard = events.find((event) => event.kind === "heard");
  if (heard === undefined) throw new Error("the phone heard no greeting");
  return heard.answeredInMs;
}

/** From the request until the phone is picked up, and until the greeting is audible. */
async function timeOutbound(fleet: CallFleet): Promise<{ readonly rungMs: number; readonly audibleMs: number }> {
  let pickedUpAtMs = Number.NaN;
  const phone = fleet.network.expectCall({ actions: [], pickUpAfterMs: 0 }, ({ kind }) => {
    if (kind === "picked-up") pickedUpAtMs = performance.now();
  });
  const askedAtMs = performance.now();
  await fleet.initiate({ target_number: phoneNumbers.person });
  await phone.finished;
  const rungMs = pickedUpAtMs - askedAtMs;
  return { rungMs, audibleMs: rungMs + greetingHeard(phone.events) };
}

/** From the first ring until the call is connected, and until the greeting is audible. */
async function timeInbound(fleet: CallFleet): Promise<{ readonly answeredMs: number; readonly audibleMs: number }> {
  const dialledAtMs = Date.now();
  const phone = await fleet.network.call({ actions: [] });
  const { call } = await fleet.latestCall();
  const { connectedAtMs = Number.NaN } = await fleet.ended(call.callId);
  const answeredMs = connectedAtMs - dialledAtMs;
  return { answeredMs, audibleMs: answeredMs + greetingHeard(phone.events) };
}

const { fleet, close } = await startClerkFleet({ hosts: 1 });
try {
  await timeOutbound(fleet); // the first call loads what later ones find loaded
  const outbound: Awaited<ReturnType<typeof timeOutbound>>[] = [];
  while (outbound.length < calls) outbound.push(await timeOutbound(fleet));
  console.log(
    `initiate → phone picked up     ${summary(
      outbound.map(({ rungMs }) => rungMs),
      shares,
    )}`,
  );
  console.log(
    `initiate → greeting audible    ${summary(
      outbound.map(({ audibleMs }) => audibleMs),
      shares,
    )}`,
  );

  const inbound: Awaited<ReturnType<typeof timeInbound>>[] = [];
  while (inbound.length < calls) inbound.push(await timeInbound(fleet));
  console.log(
    `dialled → answered             ${summary(
      inbound.map(({ answeredMs }) => answeredMs),
      shares,
    )}`,
  );
  console.log(
    `dialled → greeting audible     ${summary(
      inbound.map(({ audibleMs }) => audibleMs),
      shares,
    )}`,
  );
} finally {
  await close();
}
