import { describe, expect, it } from "vitest";

import { formatFilter, parseFilter, toParameters } from "./conversation-filter.ts";
import type { ConversationFilter } from "./conversation-filter.ts";

const parse = (text: string) => parseFilter(new URLSearchParams(text));

describe("a filter of conversations", () => {
  it.each<ConversationFilter>([
    {},
    { outcome: "in_progress" },
    { failed: true, slow: 2000, last: 60 },
    { transferred: true, channel: "phone", direction: "inbound", scenario: "bank", agent: "card-specialist" },
    { reason: "caller_left", min: 60, max: 300, search: "+1 202 0123 & more" },
    { from: "2026-03-01T14:00", to: "2026-03-01T15:30" },
  ])("comes back from the address as it was written: %j", (filter) => {
    expect(parse(formatFilter(filter))).toEqual(filter);
  });

  it.each([
    "slow=fast",
    "min=-1",
    "last=0",
    "from=yesterday",
    "to=2026-13-40T10:00",
    "failed=yes",
    "nonsense=1",
    "search=",
  ])("does not filter by what nobody understands: %s", (text) => {
    expect(parse(text)).toEqual({});
  });

  it("reads links that were shared before the list was one table", () => {
    expect(parse("status=active")).toEqual({ outcome: "in_progress" });
    expect(parse("from=2026-03-01&to=2026-03-01")).toEqual({ from: "2026-03-01T00:00", to: "2026-03-01T23:59" });
  });

  it("asks the service for the user's own times in UTC, and for the last hour until now", () => {
    const at = new Date(2026, 2, 1, 14, 0);
    expect(toParameters({ from: "2026-03-01T14:00" }, 0)).toEqual({ from: at.toISOString() });
    expect(toParameters({ last: 60, channel: "phone" }, at.getTime())).toEqual({
      channel: "phone",
      from: new Date(at.getTime() - 3_600_000).toISOString(),
    });
  });

  it("asks the service by its own names", () => {
    expect(
      toParameters({ failed: true, transferred: true, slow: 2000, min: 60, max: 90, reason: "operator" }, 0),
    ).toEqual({
      failed: "true",
      transferred: "true",
      min_answer_ms: 2000,
      min_seconds: 60,
      max_seconds: 90,
      end_reason: "operator",
    });
  });
});
