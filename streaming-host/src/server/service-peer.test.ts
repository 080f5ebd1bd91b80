import { describe, expect, it } from "vitest";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { findCall } from "./service-peer.ts";

describe("findCall", () => {
  const clock = new VirtualClock();
  const { calls } = createMemoryState({ clock, logger: silentLogger });

  it("[MEDIA-1] finds a call by its connection, and by our id while the connection is not stored", async () => {
    const { version } = await calls.create(newCall("call-1", clock.wallNow()));
    const early = { call_connection_id: "connection-1", call_id: "call-1" };
    expect(await findCall(calls, early)).toMatchObject({ callId: "call-1" });
    await calls.update("call-1", version, { callConnectionId: "connection-1" });
    expect(await findCall(calls, { call_connection_id: "connection-1" })).toMatchObject({ callId: "call-1" });
  });

  it("[MEDIA-1] does not give a call to the socket of another one", async () => {
    const { version } = await calls.create(newCall("call-2", clock.wallNow()));
    await calls.update("call-2", version, { callConnectionId: "connection-2" });
    expect(await findCall(calls, { call_connection_id: "connection-3", call_id: "call-2" })).toBeUndefined();
  });

  it("[MEDIA-1] finds a call whose connection becomes known between the two looks for it", async () => {
    const { calls: late } = createMemoryState({ clock, logger: silentLogger });
    const { version } = await late.create(newCall("call-3", clock.wallNow()));
    await late.update("call-3", version, { callConnectionId: "connection-4" });
    Object.assign(late, { getByConnection: async () => undefined }); // as it was a moment ago
    const query = { call_connection_id: "connection-4", call_id: "call-3" };
    expect(await findCall(late, query)).toMatchObject({ callId: "call-3" });
  });
});
