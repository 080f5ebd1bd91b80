import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { expect, it } from "vitest";
import { recallState } from "./recalled-state.ts";

it("[CACHE-5a] what was changed about the agents, and the customer, are known while the state is away", async () => {
  const state = createMemoryState({ clock: new VirtualClock(), logger: silentLogger });
  let hasStore = true;
  const recalled = recallState(state, async () => hasStore);
  await state.agents.putOverride("front-desk", 0, { greeting: "Hello there." });
  await state.agents.create("session-1", "helper", {});
  await state.profiles.create({ profileId: "profile-1", document: { full_name: "Pat" } });
  await Promise.all([
    recalled.agents.overrides(),
    recalled.agents.list("session-1"),
    recalled.profiles.get("profile-1"),
  ]);
  hasStore = false;
  expect(await recalled.agents.overrides()).toMatchObject([{ agentName: "front-desk" }]);
  expect(await recalled.agents.list("session-1")).toMatchObject([{ name: "helper" }]);
  expect(await recalled.profiles.get("profile-1")).toMatchObject({ document: { full_name: "Pat" } });
  // A session that nobody has seen here is new.
  expect(await recalled.agents.list("session-2")).toEqual([]);
  expect(await recalled.scenarios.list("session-2")).toEqual([]);
  await expect(recalled.profiles.get("profile-2")).rejects.toMatchObject({ code: "cache_connection_failed" });
});

it("the sessions' own documents are bounded in size, and those unused for longest are dropped first", async () => {
  const state = createMemoryState({ clock: new VirtualClock(), logger: silentLogger });
  let hasStore = true;
  const recalled = recallState(state, async () => hasStore);
  const sessions = Array.from({ length: 10 }, (_, at) => `session-${at}`);
  for (const sessionId of sessions) {
    await state.agents.create(sessionId, "helper", { prompt: "x".repeat(3_990_000) });
    await recalled.agents.list(sessionId);
    // Read again, as every turn does, it takes no more.
    await recalled.agents.list("session-0");
  }
  hasStore = false;
  // Eight are 32 MB: the one that was read all the time, and the last seven.
  for (const sessionId of ["session-0", ...sessions.slice(3)])
    expect([sessionId, await recalled.agents.list(sessionId)]).toMatchObject([sessionId, [{ name: "helper" }]]);
  expect(await recalled.agents.list("session-1")).toEqual([]);
});
