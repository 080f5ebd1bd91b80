import { describe, expect, it } from "vitest";
import { opened, type OpenState } from "./harness.contract.ts";
import type { SessionLog } from "./session-log.ts";
import { newSession } from "./session-store.contract.ts";
import type { State } from "./state.ts";

export function describeSessionLog(name: string, open: OpenState, logOf: (state: State) => SessionLog): void {
  describe(`session log: ${name}`, () => {
    it("keeps a session's pieces in order, and of too many the newest", async () => {
      const { state, nowMs } = await opened(open);
      await state.sessions.create(newSession("s-1", nowMs()));
      for (const piece of ["1", "2", "3"]) await logOf(state).append("s-1", piece, 2);
      expect(await logOf(state).read("s-1")).toEqual(["2", "3"]);
      expect(await logOf(state).read("s-2")).toEqual([]);
    });

    it("[FLIGHT-3] [TIMELINE-2] forgets them with the session, and takes no more of one that is forgotten", async () => {
      const { state, nowMs } = await opened(open);
      await state.sessions.create(newSession("s-1", nowMs()));
      await logOf(state).append("s-1", "1", 10);
      await state.sessions.delete("s-1");
      expect(await logOf(state).read("s-1")).toEqual([]);
      await logOf(state).append("s-1", "2", 10);
      expect(await logOf(state).read("s-1")).toEqual([]);
    });

    it("[FLIGHT-3] [TIMELINE-2] is not found in the next session of the same id, which may be somebody else's", async () => {
      const harness = await opened(open, { sessionMs: 1000 });
      const { state, nowMs } = harness;
      await state.sessions.create(newSession("s-1", nowMs()));
      await harness.elapse(500);
      await logOf(state).append("s-1", "1", 10);
      await harness.elapse(750);
      expect(await state.sessions.get("s-1")).toBe("expired");
      await state.sessions.create(newSession("s-1", nowMs()));
      expect(await logOf(state).read("s-1")).toEqual([]);
    });

    it("[FLIGHT-3] [TIMELINE-2] is deleted although the session's record has expired", async () => {
      const harness = await opened(open, { sessionMs: 1000 });
      const { state, nowMs } = harness;
      await state.sessions.create(newSession("s-1", nowMs()));
      await harness.elapse(500);
      await logOf(state).append("s-1", "1", 10);
      await harness.elapse(750);
      await state.sessions.delete("s-1");
      expect(await logOf(state).read("s-1")).toEqual([]);
    });

    it("[FLIGHT-3] [TIMELINE-2] ends when the session does", async () => {
      const harness = await opened(open, { sessionMs: 60 });
      const { state, nowMs } = harness;
      await state.sessions.create(newSession("s-1", nowMs()));
      await logOf(state).append("s-1", "1", 10);
      await harness.elapse(90);
      expect(await logOf(state).read("s-1")).toEqual([]);
    });
  });
}
