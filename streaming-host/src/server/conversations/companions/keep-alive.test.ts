import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { newMediaSession } from "@voice/shared/state/ports/small-stores.contract";
import { describe, expect, it } from "vitest";
import { conversationsRig } from "../../../testing/conversations-rig.ts";
import { KeepAlive } from "./keep-alive.ts";

const hour = 60 * 60_000;
const dayAndMore = 30 * hour;

describe("a conversation in which nobody says anything", () => {
  it("[HS-13] keeps its record, its history and its place in lists for as long as its host has it", async () => {
    const { connect, clock, state } = conversationsRig();
    const request = { sessionId: "quiet", owner: "ada", streamingMode: "TRANSCRIPTION" } as const;
    const { connection } = await connect(request);
    await clock.advanceAsync(dayAndMore, hour / 2);
    expect(await state.sessions.get("quiet")).toMatchObject({ owner: "ada", status: "active" });
    expect(await state.sessions.list({ status: "active", offset: 0, limit: 10 })).toMatchObject({ total: 1 });
    await connection.close("finished");
    await clock.advanceAsync(dayAndMore, hour / 2);
    expect(await state.sessions.get("quiet")).toBe("expired");
    expect(clock.pendingTimers).toBe(0);
  });

  it("[HS-13] keeps its media session as well, for its client to come back to", async () => {
    const { connect, clock, state } = conversationsRig();
    await state.mediaSessions.create(newMediaSession("quiet", clock.wallNow()));
    await connect({ sessionId: "quiet", channel: "media", streamingMode: "TRANSCRIPTION" });
    await clock.advanceAsync(dayAndMore, hour / 2);
    expect(await state.mediaSessions.get("quiet")).toMatchObject({ sessionId: "quiet" });
  });
});

it("[HS-13] hosts tell of all their conversations at once, at most an hour apart and not in step, also after a failure", async () => {
  const clock = new VirtualClock();
  const { sessions, mediaSessions } = createMemoryState({ clock });
  const told: { readonly atMs: number; readonly ids: readonly string[] }[] = [];
  const random = [1, 0, 0.5].values();
  const toldSessions = {
    async keepAlive(living: readonly { readonly sessionId: string }[]) {
      told.push({ atMs: clock.now(), ids: living.map(({ sessionId }) => sessionId) });
      if (told.length === 1) throw new Error("the store is away");
    },
  };
  const keepAlive = new KeepAlive({
    state: { sessions: toldSessions, mediaSessions },
    random: () => random.next().value ?? 0,
    clock,
    logger: silentLogger,
  });
  const leave = await Promise.all(
    ["a", "b"].map(async (id) => keepAlive.attend({ record: await sessions.create(newSession(id, 0)) })),
  );
  const startMs = clock.now();
  await clock.advanceAsync(1.5 * hour, hour / 4);
  leave[0]?.();
  await clock.advanceAsync(0.75 * hour, hour / 4);
  leave[1]?.();
  expect(told.map(({ atMs, ids }) => [(atMs - startMs) / hour, ids])).toEqual([
    [1, ["a", "b"]],
    [1.5, ["a", "b"]],
    [2.25, ["b"]],
  ]);
  expect(clock.pendingTimers).toBe(0);
});
