import { expect, it } from "vitest";

import type { Entry } from "./conversation-view.ts";
import { requestsOfTurns } from "./requests-of-turns.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();

it("[TIMELINE-10] gives each answer the requests since the one before it", () => {
  const answer = { kind: "agent", agent: "a", isComplete: true, unheard: "", isInterrupted: false } as const;
  const entries: readonly Entry[] = [
    { ...answer, id: 1, at: at(0), turnId: "turn-1", text: "Hello." },
    { id: 2, at: at(3), kind: "user", text: "my balance", isPending: false },
    { ...answer, id: 3, at: at(9), turnId: "turn-2", text: "Ten dollars." },
  ];
  const requests = [4, 6, 12].map((second) => ({ at: at(second), agent: "a" }));
  expect([...requestsOfTurns(requests, entries)]).toEqual([[3, [0, 1]]]);
  const cards: Entry = { ...answer, id: 4, at: at(10), agent: "b", turnId: "turn-2", text: "Cards." };
  const handed = ["a", "b", undefined].map((agent) => ({ at: at(4), agent }));
  expect([...requestsOfTurns(handed, [...entries, cards])]).toEqual([
    [3, [0, 2]],
    [4, [1]],
  ]);
});
