import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { expect, it } from "vitest";
import { findSessions } from "./find-sessions.ts";

it("[OPS-8d] [ACCESS-20c] finds by a call and by a caller only the conversations that these calls carried", async () => {
  const clock = new VirtualClock();
  const state = createMemoryState({ clock });
  const nowMs = clock.wallNow();
  const [number, callerNumber] = ["+1 202 555 0166", "+12025550166"];
  const call = { ...newCall("call-1", nowMs), direction: "inbound", callerNumber, sessionId: "session-1" } as const;
  await state.calls.create({ ...call, status: "disconnected", endedAtMs: nowMs + 60_000 });
  const session = { ...newSession("session-1", nowMs), channel: "phone" } as const;
  const found = async (search: string) =>
    (await findSessions({ limit: 10, page: 1, archived: false, search }, undefined, state)).sessions.length;

  await state.sessions.create(session);
  expect([await found("call-1"), await found(number), await found("session-1")]).toEqual([1, 1, 1]);
  clock.advance(48 * 3_600_000);
  await state.sessions.create({ ...session, channel: "browser", createdAtMs: clock.wallNow() });
  expect([await found("call-1"), await found(number), await found("session-1")]).toEqual([0, 0, 1]);
});

it("[ACCESS-6a] finds by an id only the caller's own conversation, and anybody's for an operator", async () => {
  const clock = new VirtualClock();
  const state = createMemoryState({ clock });
  await state.sessions.create({ ...newSession("session-of-alice", clock.wallNow()), owner: "alice" });
  await state.sessions.create(newSession("session-of-nobody", clock.wallNow()));
  const found = async (search: string, owner: string | undefined) =>
    (await findSessions({ limit: 10, page: 1, archived: false, search }, owner, state)).total;
  expect(await found("session-of-alice", "alice")).toBe(1);
  expect(await found("session-of-alice", "bob")).toBe(0);
  expect(await found("session-of-alice", undefined)).toBe(1);
  expect(await found("session-of-nobody", "bob")).toBe(0);
});
