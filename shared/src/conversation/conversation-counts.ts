/** What a conversation that is over adds to the counts of its hour, and how figures are read from them again. Pure. */
import { isPlainObject } from "../platform/plain-object.ts";
import { parseJson } from "../platform/parse-json.ts";
import { totalCost } from "../costs/usage.ts";
import type { ConversationRow } from "../state/ports/conversation-table.ts";
import type { HistoryItem, SessionRecord, TurnMetrics } from "../state/ports/session-store.ts";
import { durationOf, failedEnds } from "./conversation-row.ts";

export interface EndedConversation {
  readonly row: ConversationRow;
  /** Absent: a call that never became a conversation. */
  readonly session?: SessionRecord | undefined;
  readonly turns: readonly TurnMetrics[];
  readonly history: readonly HistoryItem[];
}

/** Upper bounds of the histograms' buckets, in milliseconds: a step is a quarter at most where answers usually are. */
const latencyBounds = [
  25, 50, 75, 100, 125, 150, 200, 250, 300, 350, 400, 500, 600, 700, 800, 1000, 1200, 1400, 1700, 2000, 2500, 3000,
  3500, 4000, 5000, 6000, 8000, 10_000, 15_000, 20_000, 30_000, 60_000,
] as const;

/** A name within a group: `tool:check_balance`. */
const separator = ":";

export function countsOf({ row, session, turns, history }: EndedConversation): Record<string, number> {
  const counts: Record<string, number> = {};
  const count = (group: string, name = "", by = 1): void => {
    const key = name === "" ? group : `${group}${separator}${name}`;
    counts[key] = (counts[key] ?? 0) + by;
  };
  const hadPerson = history.some(({ author }) => author === "person");
  if (session !== undefined) count("conversations");
  if (row.callId !== undefined) count("calls");
  count("channel", row.channel);
  count("outcome", row.outcome);
  if (row.scenario !== undefined) count("scenario", row.scenario);
  for (const agent of row.agents) count("agent", agent);
  if (hadPerson) count("with_person");
  if (session !== undefined && row.outcome === "completed" && !hadPerson) count("contained");
  count("turns", "", row.turnCount);
  if (session !== undefined) count("duration_ms", "", durationOf(row, row.startedAtMs));
  for (const reason of failuresOf(row, session)) count("failure", reason);
  countCost(row, count);
  countTools(history, count);
  for (const { marks } of turns)
    for (const [mark, ms] of Object.entries(marks))
      if (mark.endsWith("_ms") && ms >= 0) count("latency", `${mark}${separator}${boundOf(ms)}`);
  return counts;
}

type Count = (group: string, name?: string, by?: number) => void;

/** Each reason once: a service that was away failed in every turn. */
function failuresOf({ failure, endReason }: ConversationRow, session: SessionRecord | undefined): Set<string> {
  const reasons = new Set((session?.failures ?? []).map(({ code }) => code));
  if (failure !== undefined) reasons.add(failure);
  if (endReason !== undefined && failedEnds.has(endReason)) reasons.add(endReason);
  return reasons;
}

function countCost({ usage }: ConversationRow, count: Count): void {
  const { cost } = totalCost(usage);
  if (cost !== undefined) count("cost", cost.currency, cost.amount);
}

function countTools(history: readonly HistoryItem[], count: Count): void {
  for (const { role, toolName, content } of history) {
    if (role !== "tool" || toolName === undefined) continue;
    count("tool", toolName);
    const result = parseJson(content);
    if (isPlainObject(result) && result["success"] === false) count("tool_failed", toolName);
  }
  const agents = history.filter(
    ({ role, content, author }) => role === "assistant" && content !== "" && author === undefined,
  );
  for (const [index, { agent }] of agents.entries()) {
    const before = agents[index - 1]?.agent;
    if (before !== undefined && before !== agent) count("handoff", `${before}>${agent}`);
  }
}

function boundOf(ms: number): string {
  return String(latencyBounds.find((bound) => ms <= bound) ?? "more");
}

/** Adds up the counts of several hours. */
export function sumCounts(hours: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const counts of hours) for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

/** The names of a group with their counts, the greatest first. */
export function namesIn(
  counts: Readonly<Record<string, number>>,
  group: string,
): { readonly name: string; readonly count: number }[] {
  return Object.entries(counts)
    .filter(([key]) => key.startsWith(group + separator))
    .map(([key, count]) => ({ name: key.slice(group.length + 1), count }))
    .toSorted((one, other) => other.count - one.count || one.name.localeCompare(other.name));
}

export interface LatencyFigure {
  readonly stage: string;
  readonly p50: number;
  readonly p95: number;
  readonly count: number;
}

/** Estimated from histograms, as if the values within a bucket were evenly distributed. */
export function latenciesIn(counts: Readonly<Record<string, number>>): LatencyFigure[] {
  const stages = new Map<string, Map<number, number>>();
  for (const { name, count } of namesIn(counts, "latency")) {
    const [stage = "", bound = ""] = name.split(separator, 2);
    const buckets = stages.get(stage) ?? new Map<number, number>();
    buckets.set(bound === "more" ? Number.POSITIVE_INFINITY : Number(bound), count);
    stages.set(stage, buckets);
  }
  return [...stages].map(([stage, buckets]) => ({
    stage,
    p50: quantile(buckets, 0.5),
    p95: quantile(buckets, 0.95),
    count: [...buckets.values()].reduce((sum, count) => sum + count, 0),
  }));
}

function quantile(buckets: ReadonlyMap<number, number>, share: number): number {
  const total = [...buckets.values()].reduce((sum, count) => sum + count, 0);
  let below = 0;
  for (const [bound, count] of [...buckets].toSorted(([one], [other]) => one - other)) {
    if (below + count >= share * total) {
      const lower = latencyBounds.findLast((other) => other < bound) ?? 0;
      // What took longer than the last bound is shown as that bound: it is at least that.
      return bound === Number.POSITIVE_INFINITY
        ? lower
        : Math.round(lower + ((bound - lower) * (share * total - below)) / count);
    }
    below += count;
  }
  return 0;
}
