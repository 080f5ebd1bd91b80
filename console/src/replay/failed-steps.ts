/** The steps of a replay at which something failed: where somebody begins who asks why a conversation went wrong. */
import type { ReplayedStep } from "@voice/streaming-host/session/flight/replay-flight";

export function failedAt({ event, recorded }: Pick<ReplayedStep, "event" | "recorded">): boolean {
  switch (event.type) {
    case "reply-failed":
    case "reply-lost":
    case "model-lost":
      return true;
    case "farewell-requested":
      return event.cause !== undefined;
    default:
      return recorded.some(({ type }) => type === "report-silence");
  }
}
