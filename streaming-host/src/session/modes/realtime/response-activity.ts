/** A response of the model as an activity of its turn. */
import { usageOf } from "../../output/turn-activities.ts";
import type { RealtimeReply } from "./realtime-reply.ts";
import type { ResponseEnd } from "./response-event.ts";

export function beginActivity(open: RealtimeReply, startMs: number): void {
  const attributes = { "gen_ai.operation.name": "chat", "gen_ai.agent.name": open.words.agent };
  open.response = open.timeline.activities.begin({ part: "model", name: "chat", startMs, attributes });
}

export function endActivity({ response }: RealtimeReply, { status, usage, error }: ResponseEnd, nowMs: number): void {
  response?.end(nowMs, {
    attributes: { "gen_ai.response.finish_reasons": status, ...(usage === undefined ? {} : usageOf(usage)) },
    errorType: status === "failed" ? (error?.code ?? "upstream_unavailable") : undefined,
  });
}
