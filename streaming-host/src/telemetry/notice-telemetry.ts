/** What went wrong in conversations, counted by error code, for whoever watches over the service and not one call. */
import type { SessionNotice } from "../transports/transport.ts";
import type { Instruments } from "./instruments.ts";

export function createNoticeTelemetry(instruments: Instruments): (notice: SessionNotice) => void {
  const errors = instruments.counter("voice.errors", { description: "Errors that a peer was told of, by code." });
  const fallbacks = instruments.counter("voice.fallbacks", {
    description: "Conversations that went on without their realtime model, by code.",
  });
  return (notice) => {
    if (notice.type === "error") errors.add(1, { code: notice.payload.code });
    if (notice.type === "event" && notice.payload.name === "fallback")
      fallbacks.add(1, { code: notice.payload.reason });
  };
}
