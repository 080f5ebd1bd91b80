import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import type { CallInfo } from "../api/calls-api.ts";
import { WatchedCall } from "./watched-call.ts";

const connected: CallInfo = {
  call_id: "call-1",
  session_id: "session-1",
  status: "connected",
  direction: "inbound",
  target_number: "+12025550100",
  caller_number: "+12025550123",
  created_at: "2026-01-01T00:00:00.000Z",
  events: [],
};

function rig(answers: readonly (CallInfo | Error | undefined)[]) {
  const clock = new VirtualClock();
  let asked = 0;
  const watched = new WatchedCall(
    {
      ofSession: () => {
        const answer = answers[Math.min(asked, answers.length - 1)];
        asked += 1;
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
    clock,
  );
  return { clock, watched, asked: () => asked };
}

describe("the call of a watched conversation", () => {
  it("is read until it is over, for its outcome", async () => {
    const over = { ...connected, status: "disconnected", end_reason: "caller_left" };
    const { clock, watched, asked } = rig([connected, over]);
    watched.watch("session-1");
    await clock.advanceAsync(1);
    expect(watched.store.get().call).toEqual(connected);
    await clock.advanceAsync(3000);
    expect(watched.store.get().call).toEqual(over);
    await clock.advanceAsync(30_000, 1000);
    expect(asked()).toBe(2);
  });

  it("is no longer read when nobody looks, or when there is none", async () => {
    const { clock, watched, asked } = rig([connected, undefined]);
    watched.watch("session-1")();
    await clock.advanceAsync(30_000, 1000);
    expect(asked()).toBe(1);
    watched.watch("session-1");
    await clock.advanceAsync(30_000, 1000);
    expect(asked()).toBe(2);
    expect(watched.store.get().call).toBeUndefined();
  });

  it("that could not be read is tried again, and the page says why", async () => {
    const { clock, watched } = rig([new Error("the state store is away"), connected]);
    watched.watch("session-1");
    await clock.advanceAsync(1);
    expect(watched.store.get()).toEqual({ call: undefined, problem: "the state store is away" });
    await clock.advanceAsync(3000);
    expect(watched.store.get()).toEqual({ call: connected, problem: undefined });
  });
});
