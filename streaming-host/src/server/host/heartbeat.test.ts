import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { heartbeatPeriodMs } from "@voice/shared/state/ports/host-registry";
import { heartbeat } from "@voice/shared/state/ports/small-stores.contract";
import { describe, expect, it } from "vitest";
import { startHeartbeat } from "./heartbeat.ts";

describe("a host's heartbeat", () => {
  it.each([60_000, -60_000])(
    "says once that the host's clock is wrong (%i ms), and once that it is right again",
    async (aheadMs) => {
      const clock = new VirtualClock(Date.UTC(2026, 0, 1));
      const lines: [level: string, aheadSeconds?: number][] = [];
      let errorMs = aheadMs;
      const { stop } = startHeartbeat({
        registry: {
          beat: async () => clock.wallNow() - errorMs,
          remove: async () => undefined,
          list: async () => [],
        },
        clock,
        logger: {
          ...silentLogger,
          warn: (fields) => lines.push(["warn", Math.round(Number(fields["aheadMs"]) / 1000)]),
          info: () => lines.push(["info"]),
        },
        describe: () => heartbeat("host-1"),
      });
      await clock.advanceAsync(2 * heartbeatPeriodMs, 100);
      errorMs = 4000;
      await clock.advanceAsync(2 * heartbeatPeriodMs, 100);
      await stop();
      expect(lines).toEqual([["warn", aheadMs / 1000], ["info"]]);
    },
  );
});
