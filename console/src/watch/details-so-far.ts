/** Keeps what was read of a conversation true while it ends, is resumed or is taken over before the reader's eyes. */
import type { ServerMessage } from "@voice/shared/contracts/stream/server-message";

import type { SessionDetails } from "../api/service-api.ts";

type Standing = Pick<SessionDetails, "status" | "end_reason" | "last_activity_at" | "with_person_since">;

export function detailsSoFar<Details extends Standing>(details: Details, { type, payload, timestamp }: ServerMessage) {
  if (type === "session") return { ...details, status: "active", end_reason: undefined };
  if (type !== "event") return details;
  if (payload.name === "operator") {
    if (payload.action === "take_over") return { ...details, with_person_since: timestamp };
    const isBack = payload.action === "hand_back" || payload.action === "person_lost";
    return isBack ? { ...details, with_person_since: null } : details;
  }
  if (payload.name !== "session_ended") return details;
  return { ...details, status: "ended", end_reason: payload.reason, last_activity_at: timestamp };
}
