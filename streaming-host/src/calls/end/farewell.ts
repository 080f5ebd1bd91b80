/** Ends a call that no agent can speak to: the communication service says why, and the call is hung up. */
import { allPlacesTaken } from "@voice/shared/calls/fleet-capacity";
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { Settings } from "@voice/shared/config/settings";
import type { CallEvent, CallFarewell } from "@voice/shared/contracts/events/call-event";
import { packOf } from "@voice/shared/languages/packs";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { CallParts } from "../call-parts.ts";
import { hangUpCall, hangUpOrLeaveToBus } from "./end-call.ts";

/** What is said in every call alike; `closed` has the words of the called number's row. */
export const fixedFarewells = ["full", "silent", "too-long"] as const satisfies readonly CallFarewell[];

export function farewellWords(
  farewell: (typeof fixedFarewells)[number],
  language: string,
  { commFullMessage, commSilentMessage }: Pick<Settings, "commFullMessage" | "commSilentMessage">,
): string {
  const { closing, lineFault, linesTaken } = packOf(language).sentences;
  switch (farewell) {
    case "full":
      return commFullMessage ?? linesTaken;
    case "silent":
      return commSilentMessage ?? lineFault;
    case "too-long":
      return closing[0];
  }
}

const reasons: Readonly<Record<CallFarewell, string>> = {
  full: allPlacesTaken.reason,
  closed: "outside opening hours",
  silent: "the media stream failed",
  "too-long": "maximum call length",
};

/** Left to the event bus, so that it is done once, on any host, and in a queue where nothing else waits for it. */
export async function requestFarewell(call: CallRecord, farewell: CallFarewell, parts: CallParts): Promise<void> {
  const { callId } = call;
  const { host } = parts;
  const event: CallEvent = {
    id: `farewell:${callId}:${farewell}`,
    type: "call.farewell-requested",
    source: "streaming-host",
    time: new Date(host.clock.wallNow()).toISOString(),
    subject: callId,
    data: { call_id: callId, farewell },
  };
  // The words were asked for before and the call is still alive, so there is nothing more to say.
  if ((await publishOrLog(event, parts)) !== "published")
    await hangUpOrLeaveToBus(call, { reason: reasons[farewell], why: farewell }, parts);
}

/** Undefined if the words could not be played; the call is ended all the same. */
async function publishOrLog(event: CallEvent, { host }: CallParts): Promise<"published" | "duplicate" | undefined> {
  return await warnIfItFails(host.logger, { callId: event.subject }, "a call is ended without a word", () =>
    host.state.events.publish(event),
  );
}

/**
 * Rejects if the service does not end the call, so that the event is handled again; the words are still said only once.
 */
export async function sayFarewell(callId: string, farewell: CallFarewell, parts: CallParts): Promise<void> {
  const { host, ledger, announcer, languageOf } = parts;
  const call = await host.state.calls.get(callId);
  if (call === undefined || isEnded(call.status)) return;
  const language = await languageOf(call);
  const text = farewell === "closed" ? (call.announcement ?? "") : farewellWords(farewell, language, host.settings);
  const wasHeard = await announcer.say(call, { id: `${farewell}:${callId}`, text, language, isFixed: true });
  await ledger.logEvent(callId, `said:${farewell}:${callId}`, {
    type: "announcement.played",
    details: { words: farewell, outcome: wasHeard ? "done" : "not heard to its end" },
  });
  await hangUpCall(call, reasons[farewell], parts);
}
