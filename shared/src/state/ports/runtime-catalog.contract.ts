/** Agents and scenarios made at runtime. */
import { describe, expect, it } from "vitest";
import { opened, type OpenState } from "./harness.contract.ts";
import { maxDocumentsPerSession } from "../records/session-documents.ts";

export function describeRuntimeCatalog(open: OpenState): void {
  describe.each(["agents", "scenarios"] as const)("session-scoped %s", (kind) => {
    it("shows a document to its session only, under its name in any letter case", async () => {
      const { state } = await opened(open);
      const created = await state[kind].create("s-1", "Helper", { prompt: "help", tools: [] });
      expect(created).toMatchObject({ sessionId: "s-1", name: "Helper", document: { prompt: "help", tools: [] } });
      expect(await state[kind].get("s-1", "hELPER")).toEqual(created);
      expect(await state[kind].get("s-2", "Helper")).toBeUndefined();
      expect(await state[kind].list("s-2")).toEqual([]);
    });

    it("lists in order of creation", async () => {
      const { state, elapse } = await opened(open);
      for (const name of ["zeta", "alpha", "mid"]) {
        await state[kind].create("s-1", name, {});
        await elapse(3);
      }
      expect((await state[kind].list("s-1")).map(({ name }) => name)).toEqual(["zeta", "alpha", "mid"]);
    });

    it("refuses a name that the session has, and keeps the first document", async () => {
      const { state } = await opened(open);
      await state[kind].create("s-1", "helper", { first: true });
      await expect(state[kind].create("s-1", "HELPER", {})).rejects.toMatchObject({ code: "conflict" });
      expect(await state[kind].get("s-1", "helper")).toMatchObject({ document: { first: true } });
    });

    it("replaces a document version by version, and keeps its place and its maker", async () => {
      const { state, elapse } = await opened(open);
      await state[kind].create("s-1", "Helper", { prompt: "help" }, "ada");
      await elapse(3);
      await state[kind].create("s-1", "later", {});
      const changed = await state[kind].update("s-1", "HELPER", 1, { prompt: "help more" });
      expect(changed).toMatchObject({ name: "Helper", owner: "ada", version: 2, document: { prompt: "help more" } });
      expect((await state[kind].list("s-1")).map(({ name, version }) => [name, version])).toEqual([
        ["Helper", 2],
        ["later", 1],
      ]);
    });

    it("refuses a change of another version than the stored one, and of what is not there", async () => {
      const { state } = await opened(open);
      await state[kind].create("s-1", "helper", { first: true });
      await state[kind].update("s-1", "helper", 1, { second: true });
      for (const [session, name, version] of [
        ["s-1", "helper", 1],
        ["s-1", "nobody", 1],
        ["s-2", "helper", 2],
      ] as const)
        await expect(state[kind].update(session, name, version, {})).rejects.toMatchObject({ code: "conflict" });
      expect(await state[kind].get("s-1", "helper")).toMatchObject({ document: { second: true } });
    });

    it("makes one of two changes that come at once, and refuses the other", async () => {
      const { state } = await opened(open);
      await state[kind].create("s-1", "helper", {});
      const made = await Promise.allSettled(
        ["one", "other"].map((who) => state[kind].update("s-1", "helper", 1, { by: who })),
      );
      expect(made.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      const winner = made.find((change) => change.status === "fulfilled");
      expect(await state[kind].get("s-1", "helper")).toEqual(winner?.value);
    });

    it("bounds what one session may leave behind", async () => {
      const { state } = await opened(open);
      for (let index = 0; index < maxDocumentsPerSession; index += 1) await state[kind].create("s-1", `d-${index}`, {});
      await expect(state[kind].create("s-1", "one-more", {})).rejects.toMatchObject({ code: "conflict" });
      await expect(state[kind].create("s-2", "other-session", {})).resolves.toBeDefined();
    });

    it("ends with the session's life span when no session ever came", async () => {
      const { state, elapse } = await opened(open, { sessionMs: 150 });
      await state[kind].create("s-1", "helper", {});
      await elapse(300);
      expect(await state[kind].list("s-1")).toEqual([]);
    });
  });

  describe("agent overrides", () => {
    it("starts without any", async () => {
      const { state } = await opened(open);
      expect(await state.agents.overrides()).toEqual([]);
      expect(await state.agents.override("concierge")).toBeUndefined();
    });

    it("replaces an override version by version, under its name in any letter case", async () => {
      const { state } = await opened(open);
      const first = await state.agents.putOverride("Concierge", 0, { temperature: 0.5 });
      expect(first).toMatchObject({ agentName: "Concierge", version: 1, document: { temperature: 0.5 } });
      const second = await state.agents.putOverride("concierge", 1, { topP: 0.9 });
      expect(second).toMatchObject({ version: 2, document: { topP: 0.9 } });
      expect(await state.agents.override("CONCIERGE")).toEqual(second);
      expect(await state.agents.overrides()).toEqual([second]);
    });

    it("rejects a write for another version than the stored one", async () => {
      const { state } = await opened(open);
      await expect(state.agents.putOverride("fraud", 1, {})).rejects.toMatchObject({ code: "conflict" });
      await state.agents.putOverride("fraud", 0, { a: 1 });
      await expect(state.agents.putOverride("fraud", 0, { a: 2 })).rejects.toMatchObject({ code: "conflict" });
      expect(await state.agents.override("fraud")).toMatchObject({ document: { a: 1 } });
    });

    it("forgets overrides that nobody has touched for their life span", async () => {
      const { state, elapse } = await opened(open, { overrideMs: 150 });
      await state.agents.putOverride("fraud", 0, { a: 1 });
      await elapse(300);
      expect(await state.agents.overrides()).toEqual([]);
    });

    it("keeps an override for its life span from when it was replaced", async () => {
      const { state, elapse } = await opened(open, { overrideMs: 1000 });
      await state.agents.putOverride("fraud", 0, { a: 1 });
      await elapse(600);
      const replaced = await state.agents.putOverride("fraud", 1, { a: 2 });
      await elapse(600);
      expect(await state.agents.overrides()).toEqual([replaced]);
    });
  });
}
