import { hourMs } from "@voice/shared/platform/day";
import { describe, expect, it } from "vitest";
import { daysUntil, describeOverview } from "./describe-overview.ts";

const nowMs = Date.parse("2026-03-21T09:30:00Z");
const hour = (at: string, counts: Readonly<Record<string, number>>) => ({ startMs: Date.parse(at), counts });

describe("an overview", () => {
  it("[OVERVIEW-5] has every day of the span, and counts an hour on its day in the time zone", () => {
    const timeZone = "America/New_York";
    const days = daysUntil(nowMs, 3, timeZone);
    expect(days).toEqual(["2026-03-19", "2026-03-20", "2026-03-21"]);
    const overview = describeOverview(
      [
        hour("2026-03-19T02:00:00Z", { conversations: 100 }), // the 18th in New York
        hour("2026-03-21T02:00:00Z", { conversations: 2, "outcome:failed": 1, "cost:USD": 0.5 }),
        hour("2026-03-21T08:00:00Z", { conversations: 1, contained: 1, duration_ms: 30_000, "cost:USD": 0.25 }),
      ],
      { nowMs, days, timeZone, live: 3 },
    );
    expect(overview).toMatchObject({
      conversations: 3,
      contained: 1 / 3,
      live: 3,
      cost: [{ currency: "USD", amount: 0.75 }],
    });
    expect(overview.days).toMatchObject([
      { day: "2026-03-19", conversations: 0, failed: 0, cost: [], answer_p95_ms: null },
      { day: "2026-03-20", conversations: 2, failed: 1 },
      { day: "2026-03-21", conversations: 1, failed: 0 },
    ]);
  });

  it("[OVERVIEW-3] does not know the share of what did not happen", () => {
    const days = daysUntil(nowMs, 1, "UTC");
    const overview = describeOverview([], { nowMs, days, timeZone: "UTC", live: null });
    expect(overview).toMatchObject({ conversations: 0, contained: null, average_duration_ms: null, live: null });
  });

  it("[OVERVIEW-1] names tools with their failures, and both agents of a handoff", () => {
    const days = daysUntil(nowMs, 1, "UTC");
    const counts = { conversations: 1, "tool:pay": 3, "tool_failed:pay": 2, "handoff:desk>cards": 4 };
    const overview = describeOverview([{ startMs: nowMs - (nowMs % hourMs), counts }], {
      nowMs,
      days,
      timeZone: "UTC",
      live: 0,
    });
    expect(overview.tools).toEqual([{ name: "pay", count: 3, failed: 2 }]);
    expect(overview.handoffs).toEqual([{ from: "desk", to: "cards", count: 4 }]);
  });
  it("[OVERVIEW-21] names what conversations came to, and what was noted of them by field", () => {
    const days = daysUntil(nowMs, 1, "UTC");
    const counts = { "noted:card_blocked": 2, "noted:nothing": 1, "noted_field:intent=a=b": 3 };
    const overview = describeOverview([{ startMs: nowMs - (nowMs % hourMs), counts }], {
      nowMs,
      days,
      timeZone: "UTC",
      live: 0,
    });
    expect(overview.noted).toEqual([
      { name: "card_blocked", count: 2 },
      { name: "nothing", count: 1 },
    ]);
    expect(overview.noted_values).toEqual([{ field: "intent", value: "a=b", count: 3 }]);
  });
});
