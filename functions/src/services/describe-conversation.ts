/** What the API tells of a conversation, whether it is in the session store or in the archive. */
import { describeSession, describeTurns } from "@voice/shared/archive/describe-session";
import { inSlices } from "@voice/shared/platform/steps";
import type { sessionMetricsResponse, sessionState } from "@voice/shared/contracts/http/sessions";
import type { z } from "zod";
import type { Dependencies } from "../dependencies.ts";
import { findConversation, type AskedConversation } from "./find-conversation.ts";
import { summariseLatency } from "./turn-latency.ts";

type Sources = Pick<Dependencies, "state" | "archive">;

export async function findSession(asked: AskedConversation, sources: Sources): Promise<z.infer<typeof sessionState>> {
  // Reads everything in one round trip; what an unknown id would waste is small.
  const [found, history] = await Promise.all([
    findConversation(asked, sources),
    sources.state.sessions.history(asked.session_id),
  ]);
  if (!found.isStored) return found.archived;
  const { session } = found;
  const afterCall = session.status === "ended" ? await sources.state.afterCalls.get(session) : undefined;
  return inSlices(describeSession(session, history, afterCall));
}

export async function findMetrics(
  asked: AskedConversation,
  sources: Sources,
): Promise<z.infer<typeof sessionMetricsResponse>> {
  const [found, metrics] = await Promise.all([
    findConversation(asked, sources),
    sources.state.sessions.metrics(asked.session_id),
  ]);
  const turns = found.isStored ? describeTurns(metrics) : found.archived.turns;
  return {
    session_id: asked.session_id,
    turn_count: turns.length,
    latency_summary: summariseLatency(turns),
    turns,
  };
}
