import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { heartbeatPeriodMs, heartbeatTtlMs } from "@voice/shared/state/ports/host-registry";
import type { HostRegistry } from "@voice/shared/state/ports/host-registry";
import { heartbeat } from "@voice/shared/state/ports/small-stores.contract";
import { describe, expect, it } from "vitest";
import { startHeartbeat } from "./heartbeat.ts";

function thatMayBeAway(hosts: HostRegistry, isAway: () => boolean): HostRegistry {
  return {
    beat: (beat) => (isAway() ? Promise.reject(new Error("away")) : hosts.beat(beat)),
    remove: (hostId) => hosts.remove(hostId),
    list: () => hosts.list(),
    listWithSilent: () => hosts.listWithSilent(),
  };
}

describe("a host's heartbeat", () => {
  it("[HS-12a] says that the host is back, once, when the registry had lost it", async () => {
    const clock = new VirtualClock();
    const { hosts } = createMemoryState({ clock });
    let isCutOff = false;
    let returns = 0;
    const { stop } = startHeartbeat({
      registry: thatMayBeAway(hosts, () => isCutOff),
      clock,
      logger: silentLogger,
      describe: () => heartbeat("host-1"),
      onReturned: () => (returns += 1),
      onFailed: () => undefined,
    });
    const pass = (ms: number): Promise<void> => clock.advanceAsync(ms, 100);
    await pass(4 * heartbeatPeriodMs);
    isCutOff = true;
    await pass(heartbeatPeriodMs);
    isCutOff = false;
    await pass(heartbeatPeriodMs);
    expect(returns).toBe(0);
    isCutOff = true;
    await pass(heartbeatTtlMs + heartbeatPeriodMs);
    isCutOff = false;
    await pass(4 * heartbeatPeriodMs);
    expect(returns).toBe(1);
    await stop();
  });

  it("says soon what has changed, several changes at once, and no more when the host is out of the registry", async () => {
    const clock = new VirtualClock();
    const { hosts } = createMemoryState({ clock });
    let placesTaken = 0;
    let reports = 0;
    const { beatSoon, stop } = startHeartbeat({
      registry: thatMayBeAway(hosts, () => ++reports === 0),
      clock,
      logger: silentLogger,
      describe: () => ({ ...heartbeat("host-1"), placesTaken }),
      onReturned: () => undefined,
      onFailed: () => undefined,
    });
    const shown = async (): Promise<unknown> => (await hosts.list()).map((host) => host.placesTaken);
    await clock.advanceAsync(1);
    for (placesTaken = 1; placesTaken < 3; placesTaken++) beatSoon();
    await clock.advanceAsync(250);
    expect([reports, await shown()]).toEqual([2, [3]]);
    placesTaken = 0;
    beatSoon();
    await clock.advanceAsync(250);
    expect([reports, await shown()]).toEqual([3, [0]]);
    beatSoon();
    await stop();
    beatSoon();
    await stop();
    await clock.advanceAsync(2 * heartbeatPeriodMs, 100);
    expect([reports, await shown()]).toEqual([3, []]);
  });

  it("is logged once when it fails, and once when it is stored again, and counted each time, so that an outage raises an alert", async () => {
    const clock = new VirtualClock();
    const { hosts } = createMemoryState({ clock });
    const lines: string[] = [];
    const note = (_fields: object, message: string): void => void lines.push(message);
    let isCutOff = true;
    let failures = 0;
    const { stop } = startHeartbeat({
      registry: thatMayBeAway(hosts, () => isCutOff),
      clock,
      logger: { ...silentLogger, info: note, warn: note },
      describe: () => heartbeat("host-1"),
      onReturned: () => undefined,
      onFailed: () => (failures += 1),
    });
    await clock.advanceAsync(5 * heartbeatPeriodMs, 100);
    isCutOff = false;
    await clock.advanceAsync(2 * heartbeatPeriodMs, 100);
    expect(failures).toBe(5);
    expect(lines).toEqual([
      "heartbeats cannot be stored in the host registry",
      "heartbeats are stored in the host registry again",
    ]);
    await stop();
  });
});
