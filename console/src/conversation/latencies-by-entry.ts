/** Which entry of a conversation has which latency beside it. Pure. */
import type { ConversationView, TurnLatency } from "./conversation-view.ts";

/** The latency of a turn stands beside the first that was said in it. */
export function latenciesByEntry({
  entries,
  latencies,
}: Pick<ConversationView, "entries" | "latencies">): ReadonlyMap<number, TurnLatency> {
  const byTurn = new Map(latencies.map((latency) => [latency.turnId, latency]));
  const found = new Map<number, TurnLatency>();
  for (const entry of entries) {
    const latency = entry.kind === "agent" ? byTurn.get(entry.turnId) : undefined;
    if (entry.kind !== "agent" || latency === undefined) continue;
    byTurn.delete(entry.turnId);
    found.set(entry.id, latency);
  }
  return found;
}
