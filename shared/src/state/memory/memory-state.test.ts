import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../platform/virtual-clock.ts";
import { heartbeatTtlMs, silentHostTtlMs } from "../ports/host-registry.ts";
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
    lasting: (ms) => ms,
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

  it("remembers how many conversations a silent host had for ten minutes, unless it said goodbye", async () => {
    const clock = new VirtualClock();
    const { hosts } = createMemoryState({ clock });
    for (const id of ["h-2", "h-1", "h-3"]) await hosts.beat(heartbeat(id));
    clock.advance(heartbeatTtlMs);
    expect((await hosts.listWithSilent()).silent).toEqual(
      ["h-1", "h-2", "h-3"].map((hostId) => ({ hostId, sessions: 3 })),
    );
    await hosts.remove("h-3");
    await hosts.beat(heartbeat("h-2"));
    expect((await hosts.listWithSilent()).silent).toEqual([{ hostId: "h-1", sessions: 3 }]);
    clock.advance(silentHostTtlMs - heartbeatTtlMs);
    expect((await hosts.listWithSilent()).silent).toEqual([{ hostId: "h-2", sessions: 3 }]);
  });

  it("does not honour a ticket after its minute", async () => {
    const clock = new VirtualClock();
    const { tickets } = createMemoryState({ clock });
    const { ticket } = await tickets.create({ subject: "x", isOperator: false, purpose: { type: "watch" } });
    clock.advance(ticketLifeSpanMs);
    expect(await tickets.consume(ticket)).toBeUndefined();
  });
});
