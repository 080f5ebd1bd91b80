import { describe, expect, it } from "vitest";

import { emptyConversation } from "./conversation-view.ts";
import type { Entry } from "./conversation-view.ts";
import { latenciesByEntry } from "./latencies-by-entry.ts";

function said(id: number, turnId: string): Entry {
  const at = "2026-11-29T12:00:00.000Z";
  return {
    id,
    at,
    kind: "agent",
    agent: "desk",
    turnId,
    text: "Yes.",
    isComplete: true,
    unheard: "",
    isInterrupted: false,
  };
}

describe("the latency beside what was said", () => {
  it("stands beside the first entry of its turn, and a greeting has none", () => {
    const entries = [said(1, "greeting"), said(2, "t1"), said(3, "t1"), said(4, "t2")];
    const latencies = ["t1", "t2"].map((turnId) => ({ turnId, agent: "desk", metrics: { first_audio_ms: 700 } }));
    const found = latenciesByEntry({ ...emptyConversation, entries, latencies });
    expect([...found].map(([id, { turnId }]) => [id, turnId])).toEqual([
      [2, "t1"],
      [4, "t2"],
    ]);
  });
});
