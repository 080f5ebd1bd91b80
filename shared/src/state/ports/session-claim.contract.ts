/** What hosts write of one session that takes it from each other. */
import { describe, expect, it } from "vitest";
import { opened, type OpenState } from "./harness.contract.ts";
import { newSession, said } from "./session-store.contract.ts";
import type { HistoryItem, TurnAppend } from "./session-store.ts";

export function describeSessionClaims(open: OpenState): void {
  describe("a session that another host has taken", () => {
    /** Taken by the first host at 10, and by the second one at 20. */
    async function taken() {
      const { state, nowMs } = await opened(open);
      const { sessions } = state;
      const { version } = await sessions.create({ ...newSession("s-1", nowMs()), hostId: "first", claimedAtMs: 10 });
      const append = (text: string, more: Partial<TurnAppend>) =>
        sessions.appendTurn("s-1", { items: [said(text, text, 5)], appendId: text, ...more });
      expect(await append("before", { claimedAtMs: 10, turnCount: 1 })).toBe("in time");
      await sessions.update("s-1", version, { hostId: "second", claimedAtMs: 20 });
      return { sessions, append };
    }

    it("[TAKE-2c] keeps what its former host writes late, and marks it", async () => {
      const { sessions, append } = await taken();
      const called: HistoryItem = { ...said("late", "{}", 6), toolCalls: [], effects: [{ type: "hold", seconds: 1 }] };
      await append("here", { claimedAtMs: 20 });
      const items = [said("late", 'he said "}"', 6), called];
      expect(await append("late", { claimedAtMs: 10, items })).toBe("late");
      expect(await append("late", { claimedAtMs: 10, items })).toBe("late");
      expect(await append("there", { claimedAtMs: 20 })).toBe("in time");
      expect(await sessions.history("s-1")).toEqual([
        said("before", "before", 5),
        said("here", "here", 5),
        ...items.map((item) => ({ ...item, late: true })),
        said("there", "there", 5),
      ]);
    });

    it("[TAKE-2d] leaves the number of turns to the host that has it, and adds what the former one has used", async () => {
      const { sessions, append } = await taken();
      await append("here", { claimedAtMs: 20, turnCount: 4, usage: { model: { tokens: 1 } } });
      const metrics = { turnId: "late", agent: "desk", timestampMs: 6, marks: {} };
      await append("late", { claimedAtMs: 10, turnCount: 2, metrics, usage: { model: { tokens: 2 } } });
      expect(await sessions.get("s-1")).toMatchObject({ turnCount: 4, usage: { model: { tokens: 3 } } });
      expect(await sessions.metrics("s-1")).toEqual([metrics]);
    });

    it("takes what a host writes that does not say since when it has it, and what comes before the claim is written", async () => {
      const { sessions, append } = await taken();
      expect(await append("older version", {})).toBe("in time");
      expect(await append("claim waits", { claimedAtMs: 30 })).toBe("in time");
      expect((await sessions.history("s-1")).filter(({ late }) => late)).toEqual([]);
    });
  });
}
