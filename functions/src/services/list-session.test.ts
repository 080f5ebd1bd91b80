import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { expect, it } from "vitest";

import { listSession } from "./list-session.ts";

it("says of a phone conversation who is on the telephone, and of others that nobody is", async () => {
  const clock = new VirtualClock();
  const { calls, sessions } = createMemoryState({ clock });
  const nowMs = clock.wallNow();
  await calls.create({
    ...newCall("call-1", nowMs),
    direction: "inbound",
    callerNumber: "+12025550187",
    callConnectionId: "connection-1",
  });
  const callOf = async (callConnectionId?: string) =>
    (
      await listSession(
        await sessions.create({ ...newSession(`of ${callConnectionId}`, nowMs), callConnectionId }),
        calls,
      )
    ).call;
  expect(await callOf("connection-1")).toEqual({ call_id: "call-1", direction: "inbound", far_number: "+12025550187" });
  expect(await callOf("a connection whose call is forgotten")).toBeNull();
  expect(await callOf()).toBeNull();
});

it("[OPS-9] says of a conversation whether something failed in it", async () => {
  const clock = new VirtualClock();
  const { calls, sessions } = createMemoryState({ clock });
  const session = await sessions.create(newSession("session-1", clock.wallNow()));
  const failure = { code: "upstream_timeout", message: "The agent could not answer.", timestampMs: clock.wallNow() };
  expect(await listSession(session, calls)).toMatchObject({ failure_count: 0 });
  expect(await listSession({ ...session, failures: [failure, failure] }, calls)).toMatchObject({ failure_count: 2 });
});
