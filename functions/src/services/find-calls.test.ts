import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { expect, it } from "vitest";

import { findCalls } from "./find-calls.ts";

const everything = { limit: 10, page: 1 };

it("[OPS-8d] finds a call by its conversation's id, for its owner and for operators", async () => {
  const clock = new VirtualClock();
  const state = createMemoryState({ clock });
  const nowMs = clock.wallNow();
  const call = {
    ...newCall("call-1", nowMs),
    owner: "alice",
    callConnectionId: "connection-1",
    sessionId: "session-1",
  };
  await state.calls.create(call);
  await state.sessions.create({ ...newSession("session-1", nowMs), callConnectionId: "connection-1" });
  await state.sessions.create(newSession("session-2", nowMs));
  const found = async (search: string, owner?: string) =>
    (await findCalls({ ...everything, search }, owner, state)).calls.map(({ call: { callId } }) => callId);
  expect(await found("session-1")).toEqual(["call-1"]);
  expect(await found("session-1", "alice")).toEqual(["call-1"]);
  expect(await found("session-1", "bob")).toEqual([]);
  expect(await found("session-2")).toEqual([]);
  expect(await found("session-3")).toEqual([]);
});
