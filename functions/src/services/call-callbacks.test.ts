import { describe, expect, it, vi } from "vitest";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { createCallRequests } from "./call-requests.ts";
import type { CallRequests } from "./call-requests.ts";
import { processCallbacks } from "./call-callbacks.ts";
import type { VendorEvent } from "./delivered-events.ts";

type Callback = Parameters<CallRequests["report"]>[0];

const callTrace = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
const deliveryTrace = `00-${"c".repeat(32)}-${"d".repeat(16)}-01`;

async function rig(failsFor: (callback: Callback) => Error | false) {
  const clock = new VirtualClock();
  const { calls, callOperations, events } = createMemoryState({ clock, logger: silentLogger });
  const { version } = await calls.create({ ...newCall("call-1", clock.wallNow()), traceparent: callTrace });
  await calls.update("call-1", version, { callConnectionId: "connection-1" });
  const real = createCallRequests(events, clock);
  const callRequests = {
    ...real,
    report: async (callback: Callback): Promise<void> => {
      const failure = failsFor(callback);
      if (failure !== false) throw failure;
      await real.report(callback);
    },
  };
  return { calls, events, dependencies: { calls, callOperations, callRequests, clock, logger: silentLogger } };
}

function event(type: string): VendorEvent {
  return {
    id: type,
    type: `Microsoft.Communication.${type}`,
    source: "calling/callConnections/connection-1",
    timeMs: undefined,
    data: { callConnectionId: "connection-1" },
  };
}

const away = new VoiceError("cache_connection_failed", "away");

const both = [event("CallConnected"), event("PlayCompleted")];

describe("processCallbacks", () => {
  it("[CB-5a] rejects when nothing was done, so that the delivery is repeated", async () => {
    const { dependencies } = await rig(() => away);
    await expect(processCallbacks(both, undefined, dependencies)).rejects.toBe(away);
  });

  it("[CB-5a] [CB-2] loses nothing of a delivery that was handled in part, and does nothing of it twice", async () => {
    let isAway = true;
    const { calls, events, dependencies } = await rig(
      ({ callbackType }) => isAway && callbackType.endsWith("PlayCompleted") && away,
    );
    const published = vi.spyOn(events, "publish");
    await expect(processCallbacks(both, undefined, dependencies)).rejects.toBe(away);
    expect((await calls.get("call-1"))?.status).toBe("connected");
    isAway = false;
    expect(await processCallbacks(both, undefined, dependencies)).toMatchObject({ processed: 2, failed: 0 });
    expect((await calls.events("call-1")).map(({ eventId }) => eventId)).toEqual(["CallConnected", "PlayCompleted"]);
    const outcomes = await Promise.all(published.mock.results.map(({ value }) => value));
    expect(outcomes).toEqual(["published", "duplicate", "published"]);
  });

  it("[ONCE-1] passes on the events of two calls although they have the same id", async () => {
    const { calls, events, dependencies } = await rig(() => false);
    await calls.create({ ...newCall("call-2", dependencies.clock.wallNow()), callConnectionId: "connection-2" });
    const published = vi.spyOn(events, "publish");
    const other = { ...event("CallConnected"), data: {} };
    await processCallbacks([event("CallConnected")], undefined, dependencies);
    await processCallbacks([other], "connection-2", dependencies);
    expect(await Promise.all(published.mock.results.map(({ value }) => value))).toEqual(["published", "published"]);
    expect((await calls.get("call-2"))?.status).toBe("connected");
  });

  it("[CB-5b] is not held up by an event that no repetition can mend", async () => {
    const broken = new TypeError("not a function");
    const { calls, dependencies } = await rig(({ callbackType }) =>
      callbackType.endsWith("CallConnected") ? broken : false,
    );
    const outcome = await processCallbacks(both, undefined, dependencies);
    expect(outcome).toMatchObject({ processed: 1, failed: 1, callConnectionId: "connection-1" });
    expect((await calls.events("call-1")).map(({ eventId }) => eventId)).toEqual(["PlayCompleted"]);
    await expect(processCallbacks([event("CallConnected")], undefined, dependencies)).rejects.toMatchObject({
      code: "internal_error",
      cause: broken,
    });
  });

  it("[CB-5a] asks for a repetition when the record is too busy", async () => {
    const { calls, dependencies } = await rig(() => false);
    Object.assign(calls, { update: () => Promise.reject(new VoiceError("conflict", "again")) });
    await expect(processCallbacks(both, undefined, dependencies)).rejects.toMatchObject({
      code: "dependency_not_ready",
    });
  });

  it("[CB-2] [ONCE-6] finishes with the repetition what the first delivery could not", async () => {
    let isAway = true;
    const { calls, dependencies } = await rig(() => isAway && away);
    await expect(processCallbacks(both, undefined, dependencies)).rejects.toThrow("away");
    isAway = false;
    expect(await processCallbacks(both, undefined, dependencies)).toMatchObject({ processed: 2, failed: 0 });
    await processCallbacks(both, undefined, dependencies);
    expect((await calls.events("call-1")).map(({ eventId }) => eventId)).toEqual(["CallConnected", "PlayCompleted"]);
  });

  it("[CB-3] finds a call whose connection becomes known between the two looks for it", async () => {
    const { calls, dependencies } = await rig(() => false);
    const early = event("CallConnected");
    const { getByConnection } = calls;
    Object.assign(calls, { getByConnection: async () => undefined }); // as it was a moment ago
    const named = { ...early, data: { ...early.data, operationContext: "call-1" } };
    expect(await processCallbacks([named], undefined, dependencies)).toMatchObject({ processed: 1, failed: 0 });
    const stranger = { ...named, id: "2", data: { callConnectionId: "another", operationContext: "call-1" } };
    expect(await processCallbacks([stranger], undefined, dependencies)).toMatchObject({ processed: 0, failed: 1 });
    Object.assign(calls, { getByConnection });
    expect((await calls.get("call-1"))?.status).toBe("connected");
  });

  it("[MEDIA-2e] stores the failure of a stream before it tells any host", async () => {
    const known: unknown[] = [];
    const { calls, dependencies } = await rig(() => false);
    const { report } = dependencies.callRequests;
    dependencies.callRequests.report = async (callback) => {
      known.push((await calls.get("call-1"))?.streamFailures);
      await report(callback);
    };
    const story = ["MediaStreamingStarted", "MediaStreamingFailed", "MediaStreamingStarted"];
    for (const [index, type] of story.entries())
      await processCallbacks([{ ...event(type), id: `${index}` }], undefined, dependencies);
    const failure = { eventId: "1", atMs: expect.any(Number) };
    expect(known).toEqual([undefined, [{ ...failure, isMended: false }], [{ ...failure, isMended: true }]]);
  });

  it("puts what hosts do about a callback into the call's trace and not into the delivery's", async () => {
    const { dependencies } = await rig(() => false);
    const report = vi.spyOn(dependencies.callRequests, "report");
    await processCallbacks(both, undefined, { ...dependencies, traceparent: deliveryTrace });
    expect(report.mock.calls.map(([{ traceparent }]) => traceparent)).toEqual([callTrace, callTrace]);
  });

  it("[EFFECT-4] tells the host that waits for an operation how it ended", async () => {
    const { dependencies } = await rig(() => false);
    const operation = { callId: "call-1", operationContext: "transfer:1" };
    const outcome = dependencies.callOperations.outcome(operation, { timeoutMs: 1000 });
    const data = { callConnectionId: "connection-1", operationContext: "transfer:1", resultInformation: { code: 486 } };
    await processCallbacks([{ ...event("CallTransferFailed"), data }], undefined, dependencies);
    expect(await outcome).toEqual({ ok: false, reason: "busy" });
  });
});
