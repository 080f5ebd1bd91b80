import type { SessionPatch, SessionRecord } from "@voice/shared/state/ports/session-store";
import { interruptRecordings } from "../recording/interrupt-recordings.ts";

/** The reason for the end of a conversation whose host died, and which no other host has continued. */
export const hostLost = "host_lost";

export function endedByLostHost({ recordings }: Pick<SessionRecord, "recordings">): SessionPatch {
  return {
    status: "ended",
    endReason: hostLost,
    ...(recordings === undefined ? {} : { recordings: interruptRecordings(recordings) }),
  };
}
