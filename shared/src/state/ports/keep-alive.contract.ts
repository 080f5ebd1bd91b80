import { describe, expect, it } from "vitest";
import { opened, type OpenState } from "./harness.contract.ts";
import { newSession, said } from "./session-store.contract.ts";
import { newMediaSession } from "./small-stores.contract.ts";

export function describeKeepAlive(open: OpenState): void {
  describe("what belongs to a session that lives", () => {
    it("[HS-13] is renewed with every write, and where nothing is written by its host, and so are its places in lists", async () => {
      const { state, nowMs, elapse } = await opened(open, { sessionMs: 2000, mediaSessionMs: 2000 });
      const written = await state.sessions.create({ ...newSession("s-1", nowMs()), owner: "ada" });
      const quiet = await state.sessions.create({ ...newSession("s-2", nowMs()), owner: "ada" });
      await state.sessions.create(newSession("s-3", nowMs()));
      await state.mediaSessions.create(newMediaSession("s-2", nowMs()));
      for (const { sessionId } of [written, quiet]) {
        await state.agents.create(sessionId, "helper", { prompt: "help" });
        const metrics = { turnId: "t-1", agent: "front-desk", timestampMs: nowMs(), marks: {} };
        await state.sessions.appendTurn(sessionId, { items: [said("t-1", "one", nowMs())], metrics, appendId: "a-1" });
      }
      await state.flightLog.append("s-2", "one", 10);
      // Before anything is written, because a write may tidy the lists, and a busy machine may be late.
      const keepAlive = () =>
        Promise.all([state.sessions.keepAlive([written, quiet]), state.mediaSessions.keepAlive(["s-1", "s-2"])]);
      for (let turn = 2; turn <= 5; turn += 1) {
        await elapse(700);
        await keepAlive();
        await state.sessions.appendTurn("s-1", { items: [said("t", "again", nowMs())], appendId: `a-${turn}` });
      }
      await keepAlive();
      for (const query of [{}, { status: "active" }, { channel: "browser" }, { owner: "ada" }] as const) {
        const { sessions, total } = await state.sessions.list({ ...query, offset: 0, limit: 10 });
        expect({ ids: sessions.map(({ sessionId }) => sessionId).toSorted(), total }).toEqual({
          ids: ["s-1", "s-2"],
          total: 2,
        });
      }
      expect(await state.sessions.history("s-1")).toHaveLength(5);
      expect(await state.sessions.history("s-2")).toHaveLength(1);
      for (const id of ["s-1", "s-2"]) expect(await state.sessions.metrics(id)).toMatchObject([{ turnId: "t-1" }]);
      expect(await state.flightLog.read("s-2")).toEqual(["one"]);
      expect(await state.agents.get("s-1", "helper")).toBeDefined();
      expect(await state.agents.get("s-2", "helper")).toBeDefined();
      expect(await state.mediaSessions.get("s-2")).toMatchObject({ sessionId: "s-2" });
      expect(await state.mediaSessions.get("s-1")).toBe("unknown");
      expect(await state.sessions.get("s-3")).toBe("expired");
    });

    it("[HS-13] is left as it is otherwise, and stays away once it is deleted", async () => {
      const { state, nowMs, elapse } = await opened(open);
      const older = await state.sessions.create({ ...newSession("s-1", nowMs()), owner: "ada" });
      await elapse(5);
      const newer = await state.sessions.create(newSession("s-2", nowMs()));
      const gone = await state.sessions.create(newSession("s-3", nowMs()));
      await state.sessions.delete("s-3");
      await state.sessions.keepAlive([gone, older, { ...gone, sessionId: "never-was" }]);
      await state.sessions.keepAlive([]);
      expect(await state.sessions.get("s-1")).toEqual(older);
      expect(await state.sessions.get("s-3")).toBe("expired");
      expect(await state.sessions.get("never-was")).toBe("unknown");
      for (const status of [undefined, "active"] as const)
        expect(await state.sessions.list({ status, offset: 0, limit: 10 })).toEqual({
          sessions: [newer, older],
          total: 2,
        });
    });

    it("renews the life span with an append as with any other write", async () => {
      const { state, nowMs, elapse } = await opened(open, { sessionMs: 2500 });
      const created = await state.sessions.create(newSession("s-1", nowMs()));
      for (const appendId of ["a-1", "a-2"]) {
        await state.sessions.appendTurn("s-1", { items: [said("t-1", appendId, nowMs())], appendId });
        await elapse(1400);
      }
      const session = await state.sessions.get("s-1");
      if (typeof session === "string") throw new Error(`the session is ${session}`);
      expect(session.lastActivityAtMs).toBeGreaterThan(created.lastActivityAtMs);
      expect(await state.sessions.history("s-1")).toHaveLength(2);
    });

    it("lists a session for as long as it lives, although the list is older than that", async () => {
      const { state, nowMs, elapse } = await opened(open, { sessionMs: 2000 });
      await state.sessions.create({ ...newSession("s-1", nowMs()), owner: "ada" });
      await elapse(1500);
      await state.sessions.create({ ...newSession("s-2", nowMs()), owner: "ada" });
      await elapse(1300);
      for (const query of [{}, { status: "active" }, { channel: "browser" }, { owner: "ada" }] as const) {
        const { sessions, total } = await state.sessions.list({ ...query, offset: 0, limit: 10 });
        expect([total, ...sessions.map(({ sessionId }) => sessionId)]).toEqual([1, "s-2"]);
      }
    });
  });
}
