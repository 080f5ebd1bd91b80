import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { describe, expect, it } from "vitest";

import { FakeSocket } from "../../testing/fake-socket.ts";
import { maxUnsentBytes } from "../message-limits.ts";
import { startDashboardRelay } from "./dashboard-relay.ts";

const sessionId = "session-1";
const levels = '{"type":"audio_levels","payload":{}}';
const words = '{"type":"transcript","payload":{}}';

async function watched() {
  const { liveUpdates } = createMemoryState({ clock: new VirtualClock() });
  const socket = new FakeSocket();
  let closings = 0;
  const relay = await startDashboardRelay({ socket, target: { sessionId }, sees: () => true }, liveUpdates);
  relay.start(() => (closings += 1));
  const publish = (text: string): void => liveUpdates.publish({ sessionId, text });
  return { liveUpdates, socket, publish, closings: () => closings };
}

describe("a watcher who falls behind", () => {
  it("loses the level meters first, and has them again once it has caught up", async () => {
    const { socket, publish } = await watched();
    socket.unsentBytes = maxUnsentBytes / 2;
    for (const text of [levels, words]) publish(text);
    expect(socket.sent).toEqual([words]);
    socket.unsentBytes = 0;
    publish(levels);
    expect(socket.sent).toEqual([words, levels]);
  });

  it("[FR-5] is closed past the limit, and gets nothing more", async () => {
    const { socket, publish } = await watched();
    socket.unsentBytes = maxUnsentBytes + 1;
    for (const text of [words, words]) publish(text);
    expect(socket.closedWith).toBe(1013);
    expect(socket.sent).toEqual([words]);
  });
});

describe("a watcher who has left", () => {
  it("[FR-6] does not count as watching any more", async () => {
    const { liveUpdates, socket, closings } = await watched();
    expect(liveUpdates.isWatched(sessionId)).toBe(true);
    socket.onClose?.("caller_left");
    expect([liveUpdates.isWatched(sessionId), closings()]).toEqual([false, 1]);
  });
});
