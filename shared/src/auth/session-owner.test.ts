import { describe, expect, it } from "vitest";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { createMemoryState } from "../state/memory/create-memory-state.ts";
import { newSession } from "../state/ports/session-store.contract.ts";
import type { Caller } from "./caller.ts";
import { requireSessionAccess } from "./session-owner.ts";

const user = (subject: string): Caller => ({ subject, isOperator: false, mayPlaceCalls: false, mayMakeAgents: false });
const mayUse = (subject: string, state: Parameters<typeof requireSessionAccess>[2]) =>
  requireSessionAccess(user(subject), "s-1", state).then(
    () => true,
    () => false,
  );

it("leaves a session to its owner, whatever was made for it before", async () => {
  const state = createMemoryState({ clock: new VirtualClock() });
  await state.agents.create("s-1", "own", {}, "bob");
  await state.sessions.create({ ...newSession("s-1", 0), owner: "alice" });
  expect([await mayUse("alice", state), await mayUse("bob", state)]).toEqual([true, false]);
});

describe("a session that has not begun", () => {
  it.each(["agents", "scenarios"] as const)("belongs to whoever made its first %s", async (what) => {
    const state = createMemoryState({ clock: new VirtualClock() });
    await state[what].create("s-1", "own", {}, "alice");
    expect(await mayUse("alice", state)).toBe(true);
    expect(await mayUse("bob", state)).toBe(false);
  });

  it("may be begun by anybody where nothing was made for it", async () => {
    const state = createMemoryState({ clock: new VirtualClock() });
    expect(await mayUse("bob", state)).toBe(true);
  });
});
