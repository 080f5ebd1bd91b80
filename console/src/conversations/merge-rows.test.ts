import { describe, expect, it } from "vitest";

import type { ConversationInfo } from "../api/conversations-api.ts";
import { appendPage, countNew, mergeFirstPage } from "./merge-rows.ts";

const row = (at: number, facts: Partial<ConversationInfo> = {}): ConversationInfo => ({
  session_id: `session-${at}`,
  started_at: `2026-03-01T10:${String(at).padStart(2, "0")}:00.000Z`,
  duration_ms: 1000,
  channel: "browser",
  agents: [],
  outcome: "in_progress",
  cost: undefined,
  ...facts,
});
const idsOf = (rows: readonly ConversationInfo[]) => rows.map(({ session_id: id }) => id);

describe("a list of conversations that is refreshed", () => {
  it("keeps every row in its place, and changes it there", () => {
    const before = [row(3), row(2), row(1)];
    const after = mergeFirstPage(before, { conversations: [row(3), row(2, { outcome: "failed" })], isLast: false });
    expect(idsOf(after)).toEqual(["session-3", "session-2", "session-1"]);
    expect(after[1]?.outcome).toBe("failed");
  });

  it("puts new ones before the others, and counts them", () => {
    const before = [row(2), row(1)];
    const after = mergeFirstPage(before, { conversations: [row(4), row(3), row(2)], isLast: false });
    expect(idsOf(after)).toEqual(["session-4", "session-3", "session-2", "session-1"]);
    expect(countNew(before, after)).toBe(2);
    expect(countNew(before, [row(4), row(1)])).toBe(1);
    expect(countNew([], after)).toBe(0);
  });

  it("drops what the list no longer has", () => {
    const before = [row(4), row(3), row(2), row(1)];
    expect(idsOf(mergeFirstPage(before, { conversations: [row(4), row(2)], isLast: false }))).toEqual([
      "session-4",
      "session-2",
      "session-1",
    ]);
    expect(idsOf(mergeFirstPage(before, { conversations: [row(2)], isLast: true }))).toEqual(["session-2"]);
    expect(mergeFirstPage(before, { conversations: [], isLast: true })).toEqual([]);
  });

  it("repeats no row when a page is added", () => {
    const rows = appendPage([row(3), row(2)], [row(2), row(1)]);
    expect(idsOf(rows)).toEqual(["session-3", "session-2", "session-1"]);
    expect(idsOf(appendPage([], [row(1)]))).toEqual(["session-1"]);
  });
});
