/** What conversations are told of, and what they are not told of. */
import { describe, expect, it } from "vitest";
import { opened, until, type OpenState, type StateHarness } from "./harness.contract.ts";
import { newSession, said } from "./session-store.contract.ts";
import type { State } from "./state.ts";

/** A process is told nothing until it has asked for the first time. */
export async function markOnceTold(harness: StateHarness, sessionId: string): Promise<number> {
  const { changes } = harness.state;
  await until(harness, () => changes.markOf(sessionId) !== undefined, "it is told of changes");
  return changes.markOf(sessionId) ?? Number.NaN;
}

const changesOfSession: readonly (readonly [string, (state: State) => Promise<unknown>])[] = [
  ["an agent made for the session", ({ agents }) => agents.create("s-1", "helper", {})],
  ["a scenario made for the session", ({ scenarios }) => scenarios.create("s-1", "night", {})],
  ["the session's profile", ({ sessions }) => sessions.update("s-1", 1, { profileId: "ada" })],
  ["an agent of every session", ({ agents }) => agents.putOverride("concierge", 0, {})],
];

export function describeToldChanges(open: OpenState): void {
  describe("told changes", () => {
    it.each(changesOfSession)("tell of %s, once it has been made", async (_what, change) => {
      const harness = await opened(open);
      await harness.state.sessions.create(newSession("s-1", 1));
      const before = await markOnceTold(harness, "s-1");
      await change(harness.state);
      expect(harness.state.changes.markOf("s-1")).not.toBe(before);
    });

    it("tell of a document that was replaced", async () => {
      const harness = await opened(open);
      const { agents, scenarios, changes } = harness.state;
      for (const documents of [agents, scenarios]) {
        await documents.create("s-1", "mine", {});
        const before = await markOnceTold(harness, "s-1");
        await documents.update("s-1", "mine", 1, { prompt: "else" });
        expect(changes.markOf("s-1")).not.toBe(before);
      }
    });

    it("tell nothing of a turn, of a refused change, and of what concerns another session", async () => {
      const harness = await opened(open);
      const { agents, sessions, changes } = harness.state;
      const { version } = await sessions.create(newSession("s-1", Date.now()));
      await agents.create("s-1", "helper", {});
      const before = await markOnceTold(harness, "s-1");
      await agents.create("s-2", "helper", {});
      await expect(agents.create("s-1", "helper", {})).rejects.toMatchObject({ code: "conflict" });
      await expect(agents.putOverride("concierge", 7, {})).rejects.toMatchObject({ code: "conflict" });
      await sessions.appendTurn("s-1", { items: [said("t-1", "hello", Date.now())], appendId: "a-1" });
      await sessions.update("s-1", version, { activeAgent: "other" });
      expect(changes.markOf("s-1")).toBe(before);
    });
  });
}
