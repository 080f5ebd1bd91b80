/** Makes an overview of days from hourly counts. Pure. */
import type { overviewResponse } from "@voice/shared/contracts/http/overview";
import { latenciesIn, namesIn, sumCounts } from "@voice/shared/conversation/conversation-counts";
import { answeredMark, failedOutcomes } from "@voice/shared/conversation/conversation-row";
import { dayMs } from "@voice/shared/platform/day";
import { dayIn } from "@voice/shared/platform/local-day";
import type { CountedHour } from "@voice/shared/state/ports/hourly-counts";
import type { z } from "zod";

/** Longer lists are of no use in an overview. */
const longestList = 20;

/** The days of the span by their names, the last of which is today. */
export function daysUntil(nowMs: number, count: number, timeZone: string): readonly string[] {
  const today = Date.parse(dayIn(timeZone, nowMs));
  return Array.from({ length: count }, (_, index) =>
    new Date(today - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

export function describeOverview(
  hours: readonly CountedHour[],
  { nowMs, days, timeZone, live }: { nowMs: number; days: readonly string[]; timeZone: string; live: number | null },
): z.infer<typeof overviewResponse> {
  const byDay = Map.groupBy(hours, ({ startMs }) => dayIn(timeZone, startMs));
  const countsOn = (day: string) => sumCounts((byDay.get(day) ?? []).map(({ counts }) => counts));
  const daily = days.map((day) => ({ day, counts: countsOn(day) }));
  const all = sumCounts(daily.map(({ counts }) => counts));
  const conversations = all["conversations"] ?? 0;
  const firstMs = hours.find(({ startMs }) => days.includes(dayIn(timeZone, startMs)))?.startMs ?? nowMs;
  const failed = Object.fromEntries(namesIn(all, "tool_failed").map(({ name, count }) => [name, count]));
  return {
    from: new Date(firstMs).toISOString(),
    to: new Date(nowMs).toISOString(),
    conversations,
    calls: all["calls"] ?? 0,
    turns: all["turns"] ?? 0,
    average_duration_ms: conversations === 0 ? null : Math.round((all["duration_ms"] ?? 0) / conversations),
    contained: conversations === 0 ? null : (all["contained"] ?? 0) / conversations,
    with_person: all["with_person"] ?? 0,
    live,
    outcomes: namesIn(all, "outcome"),
    channels: namesIn(all, "channel"),
    failures: namesIn(all, "failure").slice(0, longestList),
    latency: latenciesIn(all),
    cost: costIn(all),
    scenarios: namesIn(all, "scenario").slice(0, longestList),
    agents: namesIn(all, "agent").slice(0, longestList),
    tools: namesIn(all, "tool")
      .slice(0, longestList)
      .map(({ name, count }) => ({ name, count, failed: failed[name] ?? 0 })),
    handoffs: namesIn(all, "handoff")
      .slice(0, longestList)
      .map(({ name, count }) => {
        const [from = "", to = ""] = name.split(">", 2);
        return { from, to, count };
      }),
    noted: namesIn(all, "noted").slice(0, longestList),
    noted_values: namesIn(all, "noted_field")
      .slice(0, longestList)
      .map(({ name, count }) => {
        const at = name.indexOf("=");
        return { field: name.slice(0, at), value: name.slice(at + 1), count };
      }),
    days: daily.map(({ day, counts }) => ({
      day,
      conversations: counts["conversations"] ?? 0,
      calls: counts["calls"] ?? 0,
      failed: namesIn(counts, "outcome").reduce(
        (sum, { name, count }) => sum + (failedOutcomes.has(name) ? count : 0),
        0,
      ),
      cost: costIn(counts),
      answer_p95_ms: latenciesIn(counts).find(({ stage }) => stage === answeredMark)?.p95 ?? null,
    })),
  };
}

function costIn(counts: Readonly<Record<string, number>>) {
  return namesIn(counts, "cost").map(({ name, count }) => ({
    currency: name,
    amount: Math.round(count * 1e6) / 1e6,
  }));
}
