import { silentLogger } from "@voice/shared/platform/logger";
import { VoiceError } from "@voice/shared/platform/errors";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { CallStore } from "@voice/shared/state/ports/call-store";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { expect, it } from "vitest";
import { recallState } from "./recalled-state.ts";

const clock = new VirtualClock();
const call = { ...newCall("call-1", clock.wallNow()), sessionId: "session-1" };
const stream = { connectionId: "connection-1", callId: "call-1" };

function scene() {
  const state = createMemoryState({ clock, logger: silentLogger });
  const { calls: inner } = state;
  let isAway = false;
  const through = <T>(ask: () => Promise<T>): Promise<T> =>
    isAway ? Promise.reject(new VoiceError("cache_connection_failed", "away")) : ask();
  const calls: CallStore = {
    create: (created) => through(() => inner.create(created)),
    get: (callId) => through(() => inner.get(callId)),
    getByConnection: (id) => through(() => inner.getByConnection(id)),
    events: (callId) => through(() => inner.events(callId)),
    update: (callId, version, patch) => through(() => inner.update(callId, version, patch)),
    forget: (callId) => through(() => inner.forget(callId)),
    appendEvent: (callId, entry) => through(() => inner.appendEvent(callId, entry)),
    list: (query) => through(() => inner.list(query)),
  };
  const known = recallState({ ...state, calls }, async () => !isAway);
  return {
    inner,
    known,
    goAway: () => {
      isAway = true;
    },
  };
}

it("[CACHE-5a] knows a call that this host has answered, before the service has streamed it", async () => {
  const { inner, known, goAway } = scene();
  const { version } = await inner.create(call);
  await known.calls.update("call-1", version, { callConnectionId: "connection-1" });
  goAway();
  expect(await known.findCall(stream)).toMatchObject({ sessionId: "session-1", callConnectionId: "connection-1" });
  expect(await known.findCall({ connectionId: "connection-1" })).toMatchObject({ callId: "call-1" });
});

it("[CACHE-5a] knows a call that this host has asked for by its connection, and lists what the store has", async () => {
  const { inner, known, goAway } = scene();
  const { version } = await inner.create(call);
  await inner.update("call-1", version, { callConnectionId: "connection-1" });
  expect(await known.calls.getByConnection("connection-1")).toMatchObject({ callId: "call-1" });
  expect(await known.calls.list({ offset: 0, limit: 1 })).toMatchObject({ total: 1 });
  goAway();
  expect(await known.findCall(stream)).toMatchObject({ callId: "call-1" });
});

it("[CACHE-5a] [CACHE-5d] knows a call whose connection could not be written down any more, and confuses it with no other call", async () => {
  const { inner, known, goAway } = scene();
  await inner.create(call);
  await known.calls.get("call-1");
  goAway();
  expect(await known.findCall(stream)).toMatchObject({ callId: "call-1" });
  await expect(known.findCall({ connectionId: "connection-1" })).rejects.toMatchObject({
    code: "cache_connection_failed",
  });
});

it("[CACHE-5d] a host does not give a call to the stream of another connection", async () => {
  const { inner, known, goAway } = scene();
  await inner.create({ ...call, callConnectionId: "connection-1" });
  await known.findCall(stream);
  goAway();
  const other = known.findCall({ ...stream, connectionId: "connection-2" });
  await expect(other).rejects.toMatchObject({ code: "cache_connection_failed" });
});

it("says that there is no such call only where the store has said so", async () => {
  const { known, goAway } = scene();
  expect(await known.findCall(stream)).toBeUndefined();
  goAway();
  await expect(known.findCall(stream)).rejects.toMatchObject({ code: "cache_connection_failed" });
});
