import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { describe, expect, it } from "vitest";
import { CondensedHistory } from "./condensed-history.ts";

const budget = { maxTokens: 100, keepTurns: 2 };

function turns(count: number, from = 1): HistoryItem[] {
  return Array.from({ length: count }, (_item, index) => index + from).flatMap((turn): HistoryItem[] => {
    const common = { agent: "desk", turnId: `turn-${turn}`, timestampMs: turn, interrupted: false };
    return [
      { ...common, role: "user", content: `question number ${turn} about something` },
      { ...common, role: "assistant", content: `answer number ${turn} with several words in it` },
    ];
  });
}

describe("condensed history", () => {
  it("leaves a short history as it is", () => {
    const known = turns(2);
    expect(new CondensedHistory({ budget: () => budget }).read(known)).toEqual(known);
  });

  it("puts a summary in front of what is kept", () => {
    const [note, ...kept] = new CondensedHistory({ budget: () => budget }).read(turns(20));
    expect(note).toMatchObject({ role: "system" });
    expect(note?.content).toContain("question number 1 ");
    expect(kept.length).toBeGreaterThanOrEqual(4);
    expect(kept.at(-1)?.content).toContain("answer number 20");
  });

  it("keeps its cut until the budget is used up again", () => {
    const history = new CondensedHistory({ budget: () => budget });
    const known = turns(20);
    const [before] = history.read(known);
    known.push(...turns(1, 21));
    expect(history.read(known)[0]).toEqual(before);
  });

  it("[HIST-6] summarises an answer together with its question where that was known later", () => {
    const history = new CondensedHistory({ budget: () => budget });
    const all = turns(20);
    const [first, question, ...rest] = [all[0], all[2], ...all.slice(1, 2), ...all.slice(3)];
    const answers = [first, ...rest].filter((item) => item !== undefined);
    const [before, ...kept] = history.read(answers);
    expect(before?.content).not.toContain("question number 2 ");
    const [after, ...keptThen] = history.read(all);
    expect(after?.content).toContain(question?.content);
    expect(keptThen).toEqual(kept);
  });

  it("begins anew for an agent that knows nothing of what was before", () => {
    const history = new CondensedHistory({ budget: () => budget });
    history.read(turns(20));
    const fresh = turns(1, 30);
    expect(history.read(fresh)).toEqual(fresh);
  });

  describe("with a model that writes summaries", () => {
    function rig() {
      const requests: { previous: string | undefined; items: readonly HistoryItem[]; signal: AbortSignal }[] = [];
      const answers: PromiseWithResolvers<string>[] = [];
      const failures: string[] = [];
      const history = new CondensedHistory({
        budget: () => budget,
        summarise: (previous, items, signal) => {
          const answer = Promise.withResolvers<string>();
          requests.push({ previous, items, signal });
          answers.push(answer);
          return answer.promise;
        },
        onFailed: ({ code }) => failures.push(code),
      });
      const settle = async (): Promise<void> => {
        for (let round = 0; round < 5; round++) await Promise.resolve();
      };
      return { history, requests, answers, failures, settle };
    }

    it("does not wait for it: the plain summary stands until it has come", async () => {
      const { history, requests, answers, settle } = rig();
      const known = turns(20);
      expect(history.read(known)[0]?.content).toContain("question number 1 ");
      expect(requests).toHaveLength(1);
      answers[0]?.resolve("They talked about something.");
      await settle();
      const [note, ...kept] = history.read(known);
      expect(note?.content).toContain("They talked about something.");
      expect(note?.content).not.toContain("question number 1 ");
      expect([...(requests[0]?.items ?? []), ...kept]).toEqual(known);
      expect(requests).toHaveLength(1);
    });

    it("lets it go on from its own words, and from everything since when it failed in between", async () => {
      const { history, requests, answers, failures, settle } = rig();
      const known = turns(20);
      history.read(known);
      answers[0]?.resolve("First part.");
      await settle();
      known.push(...turns(20, 21));
      history.read(known);
      answers[1]?.reject(new Error("down"));
      await settle();
      expect(failures).toEqual(["internal_error"]);
      expect(history.read(known)[0]?.content).toMatch(/First part\..*question number 2\d/);
      known.push(...turns(20, 41));
      history.read(known);
      expect(requests.map(({ previous }) => previous)).toEqual([undefined, "First part.", "First part."]);
      const first = requests[0]?.items.length ?? 0;
      expect(requests[2]?.items[0]).toBe(known[first]);
    });

    it("gives up one that is overtaken, or that nobody will read", async () => {
      const { history, requests, answers, failures, settle } = rig();
      const known = turns(20);
      history.read(known);
      known.push(...turns(20, 21));
      history.read(known);
      expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
      answers[0]?.resolve("Too late.");
      await settle();
      expect(history.read(known)[0]?.content).not.toContain("Too late.");
      const fresh = turns(1, 50);
      history.read(fresh);
      answers[1]?.reject(requests[1]?.signal.reason);
      await settle();
      expect(requests[1]?.signal.aborted).toBe(true);
      expect(failures).toEqual([]);
      expect(history.read(fresh)).toEqual(fresh);
    });
  });
});
