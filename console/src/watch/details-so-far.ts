/** Keeps what was read of a conversation true while it ends, or is resumed, before the reader's eyes. */
import type { ServerMessage } from "@voice/shared/contracts/stream/server-message";

import type { SessionDetails } from "../api/service-api.ts";

type Standing = Pick<SessionDetails, "status" | "end_reason" | "last_activity_at">;

export function detailsSoFar<Details extends Standing>(details: Details, { type, payload, timestamp }: ServerMessage) {
  if (type === "session") return { ...details, status: "active", end_reason: undefined };
  if (type !== "event" || payload.name !== "session_ended") return details;
  return { ...details, status: "ended", end_reason: payload.reason, last_activity_at: timestamp };
}
