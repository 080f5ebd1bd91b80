/** Counts what went wrong in conversations by error code, for operators of the service as a whole. */
import type { SessionNotice } from "../transports/transport.ts";
import type { CreateCounter } from "./recording-telemetry.ts";

export function createNoticeTelemetry(createCounter: CreateCounter): (notice: SessionNotice) => void {
  const description = "See docs/operations.md.";
  const errors = createCounter("voice.errors", { unit: "{error}", description });
  const fallbacks = createCounter("voice.fallbacks", { unit: "{conversation}", description });
  const cutAnswers = createCounter("voice.answers.cut", { unit: "{answer}", description });
  return (notice) => {
    if (notice.type === "error") errors.add(1, { code: notice.payload.code });
    if (notice.type === "event" && notice.payload.name === "fallback")
      fallbacks.add(1, { code: notice.payload.reason });
    if (notice.type === "event" && notice.payload.name === "answer_cut")
      cutAnswers.add(1, { cause: notice.payload.cause });
  };
}
