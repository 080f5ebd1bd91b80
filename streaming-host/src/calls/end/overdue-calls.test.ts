import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { describe, expect, it } from "vitest";
import { settings, startCallRig } from "../../testing/call-rig.ts";
import { watchOverdueCalls } from "./overdue-calls.ts";

/** A call that began to ring before the state went away, and may have been picked up meanwhile; the state is back. */
async function startAfterOutage() {
  const rig = await startCallRig();
  await rig.create({ status: "ringing", callConnectionId: "connection-1" });
  const { list } = rig.state.calls;
  rig.state.calls.list = async () => {
    throw new VoiceError("cache_connection_failed", "away");
  };
  await rig.settle(settings.commCallTimeoutMs + 3000);
  rig.state.calls.list = list;
  return rig;
}

describe("calls that seem to ring too long after an outage of the state", () => {
  it("[CACHE-1] [OUT-4] are not hung up before the hosts that carry them could report that they were picked up", async () => {
    const rig = await startAfterOutage();
    await rig.settle(3000);
    expect(rig.operations()).toEqual([]);
    await rig.control.recordStream(await rig.record(), "connection-1");
    await rig.settle(10_000);
    expect(rig.operations()).not.toContain("hangUp");
    expect(await rig.record()).toMatchObject({ status: "connected" });
  });

  it("[OUT-4] are hung up five seconds later where nobody talks on them", async () => {
    const rig = await startAfterOutage();
    await rig.settle(4000);
    expect(rig.operations()).toEqual([]);
    await rig.settle(3000);
    expect(rig.operations()).toEqual(["hangUp"]);
    expect(await rig.record()).toMatchObject({ status: "failed", failureCode: "no_answer" });
  });
});

describe("overdue calls of a service that hangs", () => {
  it("[OUT-4] are ended though the service does not answer about another, which is asked for once meanwhile", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "ringing", callConnectionId: "connection-1" });
    await rig.create({ callId: "call-2", sessionId: "session-2", status: "ringing", callConnectionId: "connection-2" });
    rig.during(({ details }) =>
      details["callConnectionId"] === "connection-1" ? new Promise(() => undefined) : Promise.resolve(),
    );
    await rig.settle(settings.commCallTimeoutMs + 10_000);
    const hangUps = rig.requests.filter(({ operation }) => operation === "hangUp");
    const asked = hangUps.map(({ details }) => details["callConnectionId"]).slice(0, 2);
    expect(new Set(asked)).toEqual(new Set(["connection-1", "connection-2"]));
  });

  it("[EFFECT-13c] are given back from hold by one request at a time", async () => {
    const rig = await startCallRig();
    const holdUntilMs = rig.clock.wallNow();
    await rig.create({ status: "connected", callConnectionId: "connection-1" });
    const { version } = await rig.record();
    await rig.state.calls.update("call-1", version, { status: "on_hold", holdUntilMs });
    rig.during(({ operation }) => (operation === "unhold" ? new Promise(() => undefined) : Promise.resolve()));
    await rig.settle(20_000);
    expect(rig.operations().filter((operation) => operation === "unhold")).toHaveLength(1);
  });
});

describe("the log of an outage of the state", () => {
  it("has one line for each check that cannot be made, however long the outage lasts, and one when it is over", async () => {
    const clock = new VirtualClock();
    const { calls } = createMemoryState({ clock, logger: silentLogger });
    const { list } = calls;
    calls.list = async () => {
      throw new VoiceError("cache_connection_failed", "away");
    };
    const lines: [level: string, check: unknown][] = [];
    const nothing = async (): Promise<void> => undefined;
    const stop = watchOverdueCalls({
      calls,
      settings,
      clock,
      end: nothing,
      resume: nothing,
      logger: {
        ...silentLogger,
        warn: ({ check }) => lines.push(["warn", check]),
        info: ({ check }) => lines.push(["info", check]),
      },
    });
    await clock.advanceAsync(60_000, 500);
    expect(lines).toEqual([
      ["warn", "ringing"],
      ["warn", "holds"],
      ["warn", "length"],
    ]);
    calls.list = list;
    await clock.advanceAsync(15_000, 500);
    expect(lines.slice(3).map(([level]) => level)).toEqual(["info", "info", "info"]);
    stop();
  });
});
