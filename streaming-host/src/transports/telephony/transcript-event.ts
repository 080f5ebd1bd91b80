/** HOOK-14: what the caller said, as the platform's `transcript` entity. */
import { randomUUID } from "node:crypto";
import type { ServerPayloads } from "@voice/shared/contracts/stream/server-message";

/** Milliseconds that the platform did not send us (it was paused) count in its time, not in ours. */
export function transcriptEntity(payload: ServerPayloads["transcript"], channelId: number, unheardMs: number): object {
  const { text, start_ms: startMs, end_ms: endMs } = payload;
  return {
    type: "transcript",
    data: {
      id: randomUUID(),
      channelId,
      isFinal: true,
      ...(startMs === undefined ? {} : { offset: duration(startMs + unheardMs) }),
      ...(startMs === undefined || endMs === undefined ? {} : { duration: duration(endMs - startMs) }),
      // The field is mandatory and the recogniser's words come without doubt.
      alternatives: [{ confidence: 1, interpretations: [{ type: "display", transcript: text }] }],
    },
  };
}

function duration(ms: number): string {
  return `PT${(Math.max(0, ms) / 1000).toFixed(3)}S`;
}
