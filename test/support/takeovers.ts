/** A call that loses its host twice, and how long each time nobody had its audio. For the test and the measurement. */
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import type { ScriptedPhone } from "../../local/phone/scripted-phone.ts";
import { systemClock } from "@voice/shared/platform/clock";
import { pause } from "@voice/shared/platform/pause";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { CallFleet } from "./call-fleet.ts";
import { isSpeaking } from "./live-events.ts";
import type { LiveEvents } from "./live-events.ts";

export interface SurvivedCall {
  readonly phone: ScriptedPhone;
  readonly call: CallRecord;
  /** From SIGKILL to the stream on the next host. */
  readonly takeoversMs: readonly number[];
}

/** Longer than a takeover may take: the caller must not speak, or hang up, into the silence of one. */
const quietMs = 4000;

/** When the greeting has become audible, and when the answer has. Leaves one host of the fleet, if it had three. */
export async function callThatLosesTwoHosts(fleet: CallFleet, live: LiveEvents, says: string): Promise<SurvivedCall> {
  const killedAtMs: number[] = [];

  async function killCarrier(): Promise<void> {
    await live.next(isSpeaking);
    killedAtMs.push(Date.now());
    await fleet.carrier().kill();
  }

  const work: Promise<void>[] = [killCarrier()];
  const phone = fleet.network.expectCall({ actions: [{ kind: "say", text: says }], quietMs }, (event) => {
    if (event.kind === "said") work.push(killCarrier());
  });
  await fleet.initiate({ target_number: phoneNumbers.person });
  await phone.finished;
  // A caller who has given up hears nobody speak any more, and the kill that waits for it would wait for ever.
  const kills = await Promise.race([Promise.all(work), pause(systemClock, 5000)]);
  if (kills === undefined)
    throw new Error(`the call was over before its second host was killed: ${JSON.stringify(phone.events)}`);
  const { call, events } = await fleet.latestCall();
  const openedAtMs = events
    .filter(({ type }) => type.endsWith("MediaStreamingStarted"))
    .map(({ timestampMs }) => timestampMs);
  const takeoversMs = killedAtMs.map((atMs) => (openedAtMs.find((later) => later >= atMs) ?? Infinity) - atMs);
  return { phone, call, takeoversMs };
}
