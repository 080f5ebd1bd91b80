/** What went wrong in conversations, counted by error code, for whoever watches over the service and not one call. */
import type { SessionNotice } from "../transports/transport.ts";
import type { CreateCounter } from "./recording-telemetry.ts";

export function createNoticeTelemetry(createCounter: CreateCounter): (notice: SessionNotice) => void {
  const description = "See docs/operations.md.";
  const errors = createCounter("voice.errors", { unit: "{error}", description });
  const fallbacks = createCounter("voice.fallbacks", { unit: "{conversation}", description });
  return (notice) => {
    if (notice.type === "error") errors.add(1, { code: notice.payload.code });
    if (notice.type === "event" && notice.payload.name === "fallback")
      fallbacks.add(1, { code: notice.payload.reason });
  };
}
