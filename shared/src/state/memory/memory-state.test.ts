import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../platform/virtual-clock.ts";
import { heartbeatTtlMs } from "../ports/host-registry.ts";
import { heartbeat } from "../ports/small-stores.contract.ts";
import { describeState } from "../ports/state.contract.ts";
import { ticketLifeSpanMs } from "../records/ticket-store.ts";
import { createMemoryState } from "./create-memory-state.ts";

describeState(async (lifeSpans = {}) => {
  const clock = new VirtualClock();
  const state = createMemoryState({ clock, lifeSpans, retry: { maxAttempts: 3, firstDelayMs: 20, maxDelayMs: 40 } });
  return {
    state,
    nowMs: () => clock.wallNow(),
    elapse: (ms) => clock.advanceAsync(ms),
    close: () => state.close(),
  };
});

describe("memory state on its clock", () => {
  it("forgets a host that misses three heartbeats", async () => {
    const clock = new VirtualClock();
    const { hosts } = createMemoryState({ clock });
    await hosts.beat(heartbeat("h-1"));
    clock.advance(heartbeatTtlMs - 1);
    expect(await hosts.list()).toHaveLength(1);
    clock.advance(1);
    expect(await hosts.list()).toEqual([]);
  });

  it("does not honour a ticket after its minute", async () => {
    const clock = new VirtualClock();
    const { tickets } = createMemoryState({ clock });
    const { ticket } = await tickets.create({ subject: "x", isOperator: false, purpose: { type: "watch" } });
    clock.advance(ticketLifeSpanMs);
    expect(await tickets.consume(ticket)).toBeUndefined();
  });
});
