/** What is kept of two sessions that have the same id, one after the other. */
import { describe, expect, it } from "vitest";
import { opened, type OpenState } from "./harness.contract.ts";
import { newSession, said } from "./session-store.contract.ts";
import type { SessionRecord } from "./session-store.ts";

export function describeSessionReuse(open: OpenState): void {
  describe("a session id that is used again", () => {
    it("[ACCESS-20d] takes nothing for a session that has the id no more, and gives its successor what is its own", async () => {
      const { state, nowMs, elapse } = await opened(open);
      const earlier = await state.sessions.create({ ...newSession("s-1", nowMs()), owner: "alice" });
      await state.sessions.delete("s-1");
      await elapse(5);
      const later = await state.sessions.create({ ...newSession("s-1", nowMs()), owner: "bob" });
      const append = ({ createdAtMs }: SessionRecord, text: string) =>
        state.sessions.appendTurn("s-1", { items: [said("t-1", text, nowMs())], appendId: text, createdAtMs });
      await expect(append(earlier, "from alice")).rejects.toMatchObject({ code: "session_expired" });
      const late = state.sessions.update("s-1", earlier.version, { status: "ended" });
      await expect(late).rejects.toMatchObject({ code: "conflict" });
      await append(later, "from bob");
      expect(await state.sessions.get("s-1")).toMatchObject({ owner: "bob", status: "active" });
      expect((await state.sessions.history("s-1")).map(({ content }) => content)).toEqual(["from bob"]);
    });

    it("can be changed again and again, by a clock that counts parts of a millisecond, too", async () => {
      const { state, nowMs } = await opened(open);
      let { version } = await state.sessions.create(newSession("s-1", Math.floor(nowMs()) + 0.215));
      for (const turnCount of [1, 2, 3]) ({ version } = await state.sessions.update("s-1", version, { turnCount }));
      expect(await state.sessions.get("s-1")).toMatchObject({ version, turnCount: 3 });
    });

    it("[ACCESS-7] is in the lists at once, although nobody has used a session since the earlier one expired", async () => {
      const { state, nowMs, elapse } = await opened(open, { sessionMs: 2000 });
      const create = (id: string) => state.sessions.create({ ...newSession(id, nowMs()), owner: "alice" });
      const listed = async (owner?: string) =>
        (await state.sessions.list({ offset: 0, limit: 10, owner })).sessions.map(({ sessionId }) => sessionId);
      await create("s-1");
      await elapse(1000);
      await create("s-2");
      await elapse(1150);
      await create("s-1");
      expect([await listed(), await listed("alice")]).toEqual([
        ["s-1", "s-2"],
        ["s-1", "s-2"],
      ]);
    });

    it("[ACCESS-7] lists no session for the owner of another one of the same id", async () => {
      const { state, nowMs, elapse } = await opened(open, { sessionMs: 1000 });
      const create = (owner: string) => state.sessions.create({ ...newSession("s-1", nowMs()), owner });
      const listOf = (owner: string) => state.sessions.list({ offset: 0, limit: 10, owner });
      await create("alice");
      await expect(create("bob")).rejects.toMatchObject({ code: "conflict" });
      expect(await listOf("bob")).toEqual({ sessions: [], total: 0 });
      await elapse(1100);
      await create("bob");
      expect(await listOf("alice")).toEqual({ sessions: [], total: 0 });
      expect(await listOf("bob")).toMatchObject({ sessions: [{ owner: "bob" }], total: 1 });
    });
  });
}
