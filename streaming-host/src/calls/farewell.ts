/** The end of a call that nobody of ours can speak to: the communication service says why, and the call is hung up. */
import { allPlacesTaken } from "@voice/shared/calls/fleet-room";
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { Settings } from "@voice/shared/config/settings";
import type { CallEvent, CallFarewell } from "@voice/shared/contracts/events/call-event";
import { packOf } from "@voice/shared/languages/packs";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { Announcer } from "./announcer.ts";
import { hangUpCall, hangUpOrLeaveToBus } from "./end-call.ts";
import type { EndCallDependencies } from "./end-call.ts";

export interface FarewellDependencies extends EndCallDependencies {
  readonly announcer: Announcer;
  readonly settings: Settings;
}

export function farewellWords(
  farewell: CallFarewell,
  {
    commFullMessage,
    commSilentMessage,
    sttLanguage,
  }: Pick<Settings, "commFullMessage" | "commSilentMessage" | "sttLanguage">,
): string {
  const { closing, lineFault, linesTaken } = packOf(sttLanguage).sentences;
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
  silent: "the media stream failed",
  "too-long": "maximum call length",
};

/** Left to the event bus: it is done once, on whatever host, and in a queue that nothing else waits in. */
export async function requestFarewell(
  call: CallRecord,
  farewell: CallFarewell,
  dependencies: FarewellDependencies,
): Promise<void> {
  const { callId } = call;
  const { clock } = dependencies;
  const event: CallEvent = {
    id: `farewell:${callId}:${farewell}`,
    type: "call.farewell-requested",
    source: "streaming-host",
    time: new Date(clock.wallNow()).toISOString(),
    subject: callId,
    data: { call_id: callId, farewell },
  };
  // Asked for before, and the call still lives: there is nothing more to be said.
  if ((await publishOrLog(event, dependencies)) !== "published")
    await hangUpOrLeaveToBus(call, { reason: reasons[farewell], why: farewell }, dependencies);
}

/** Undefined where nobody could be told: a call is ended all the same. */
async function publishOrLog(
  event: CallEvent,
  { events, logger }: FarewellDependencies,
): Promise<"published" | "duplicate" | undefined> {
  try {
    return await events.publish(event);
  } catch (error) {
    logger.warn({ error, callId: event.subject, code: toVoiceError(error).code }, "a call is ended without a word");
    return undefined;
  }
}

/** Rejects where the service does not end the call, so that the event is handled again: the words are said once. */
export async function sayFarewell(
  callId: string,
  farewell: CallFarewell,
  dependencies: FarewellDependencies,
): Promise<void> {
  const { ledger, announcer, settings } = dependencies;
  const call = await ledger.get(callId);
  if (call === undefined || isEnded(call.status)) return;
  const text = farewellWords(farewell, settings);
  const wasHeard = await announcer.say(call, { id: `${farewell}:${callId}`, text, isFixed: true });
  await ledger.note(callId, `said:${farewell}:${callId}`, {
    type: "announcement.played",
    details: { words: farewell, outcome: wasHeard ? "done" : "not heard to its end" },
  });
  await hangUpCall(call, reasons[farewell], dependencies);
}
