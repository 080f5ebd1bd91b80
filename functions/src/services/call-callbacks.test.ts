import { describe, expect, it } from "vitest";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { createEventCallAutomation } from "./call-automation.ts";
import type { CallAutomation } from "./call-automation.ts";
import { processCallbacks } from "./call-callbacks.ts";
import type { VendorEvent } from "./delivered-events.ts";

type Callback = Parameters<CallAutomation["report"]>[0];

async function rig(failsFor: (callback: Callback) => boolean) {
  const clock = new VirtualClock();
  const { calls, events } = createMemoryState({ clock, logger: silentLogger });
  const { version } = await calls.create(newCall("call-1", clock.wallNow()));
  await calls.update("call-1", version, { callConnectionId: "connection-1" });
  const real = createEventCallAutomation(events, clock);
  const callAutomation = {
    ...real,
    report: async (callback: Callback): Promise<void> => {
      if (failsFor(callback)) throw new VoiceError("cache_connection_failed", "away");
      await real.report(callback);
    },
  };
  return { calls, dependencies: { calls, callAutomation, clock, logger: silentLogger } };
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

const both = [event("CallConnected"), event("PlayCompleted")];

describe("processCallbacks", () => {
  it("[CB-5] rejects when nothing was done, so that the delivery is repeated", async () => {
    const { dependencies } = await rig(() => true);
    await expect(processCallbacks(both, undefined, dependencies)).rejects.toMatchObject({
      code: "cache_connection_failed",
    });
  });

  it("[CB-5] reports what failed when something was done", async () => {
    const { calls, dependencies } = await rig(({ callbackType }) => callbackType.endsWith("PlayCompleted"));
    const outcome = await processCallbacks(both, undefined, dependencies);
    expect(outcome).toMatchObject({ processed: 1, failed: 1, callConnectionId: "connection-1" });
    expect((await calls.get("call-1"))?.status).toBe("connected");
  });

  it("[CB-2] [ONCE-6] finishes with the repetition what the first delivery could not", async () => {
    let isAway = true;
    const { calls, dependencies } = await rig(() => isAway);
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
});
