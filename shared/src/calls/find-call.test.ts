import { describe, expect, it } from "vitest";
import { silentLogger } from "../platform/logger.ts";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { createMemoryState } from "../state/memory/create-memory-state.ts";
import { newCall } from "../state/ports/call-store.contract.ts";
import { findCall, findCallByEitherId } from "./find-call.ts";

describe("findCall", () => {
  const clock = new VirtualClock();
  const { calls } = createMemoryState({ clock, logger: silentLogger });

  it("[MEDIA-1] finds a call by its connection, and by our id while the connection is not stored", async () => {
    const { version } = await calls.create(newCall("call-1", clock.wallNow()));
    const early = { connectionId: "connection-1", callId: "call-1" };
    expect(await findCall(calls, early)).toMatchObject({ callId: "call-1" });
    await calls.update("call-1", version, { callConnectionId: "connection-1" });
    expect(await findCall(calls, { connectionId: "connection-1" })).toMatchObject({ callId: "call-1" });
  });

  it("[MEDIA-1] does not give a call to the socket of another one", async () => {
    const { version } = await calls.create(newCall("call-2", clock.wallNow()));
    await calls.update("call-2", version, { callConnectionId: "connection-2" });
    expect(await findCall(calls, { connectionId: "connection-3", callId: "call-2" })).toBeUndefined();
  });

  it("[MEDIA-1] finds a call whose connection becomes known between the two looks for it", async () => {
    const { calls: late } = createMemoryState({ clock, logger: silentLogger });
    const { version } = await late.create(newCall("call-3", clock.wallNow()));
    await late.update("call-3", version, { callConnectionId: "connection-4" });
    Object.assign(late, { getByConnection: async () => undefined }); // as it was a moment ago
    const query = { connectionId: "connection-4", callId: "call-3" };
    expect(await findCall(late, query)).toMatchObject({ callId: "call-3" });
  });
});

describe("findCallByEitherId", () => {
  it("finds a call by our id and by the service's", async () => {
    const clock = new VirtualClock();
    const { calls } = createMemoryState({ clock, logger: silentLogger });
    await calls.create({ ...newCall("call-1", clock.wallNow()), callConnectionId: "connection-1" });
    expect(await findCallByEitherId(calls, "call-1")).toMatchObject({ callId: "call-1" });
    expect(await findCallByEitherId(calls, "connection-1")).toMatchObject({ callId: "call-1" });
    expect(await findCallByEitherId(calls, "call-2")).toBeUndefined();
  });
});
