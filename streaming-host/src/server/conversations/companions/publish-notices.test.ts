import { setImmediate } from "node:timers/promises";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { LiveUpdates } from "@voice/shared/state/ports/live-updates";
import { expect, it } from "vitest";
import type { SessionNotice } from "../../../transports/transport.ts";
import type { MessageLog } from "./message-log.ts";
import { createNoticePublisher } from "./publish-notices.ts";

const noLog: MessageLog = {
  add: () => undefined,
  take: () => undefined,
  writeAll: () => Promise.resolve(),
};
const ended: SessionNotice = { type: "event", payload: { name: "session_ended", reason: "finished" } };
const levels: SessionNotice = { type: "audio_levels", payload: { input: 0.1, output: 0 } };

it("tells those who watch in order, after whatever else is sent now", async () => {
  const clock = new VirtualClock();
  const { liveUpdates } = createMemoryState({ clock, logger: silentLogger });
  const seen: unknown[] = [];
  await liveUpdates.watch({ sessionId: "session-1" }, ({ text }) => seen.push(JSON.parse(text)));
  const { publish } = createNoticePublisher(liveUpdates, { sessionId: "session-1" }, clock, noLog);
  publish(levels);
  expect(seen).toMatchObject([{ type: "audio_levels", session_id: "session-1" }]);
  publish(ended);
  publish(levels);
  expect(seen).toHaveLength(1);
  await setImmediate();
  expect(seen.slice(1)).toMatchObject([{ type: "event", payload: ended.payload }, { type: "audio_levels" }]);
});

it("[FR-6] publishes levels once in 2 s while nobody watches, and all of them to who does", async () => {
  const clock = new VirtualClock();
  const { liveUpdates } = createMemoryState({ clock, logger: silentLogger });
  let published = 0;
  const counting: Pick<LiveUpdates, "publish" | "isWatched"> = {
    publish(update) {
      published += 1;
      liveUpdates.publish(update);
    },
    isWatched: (sessionId) => liveUpdates.isWatched(sessionId),
  };
  const { publish } = createNoticePublisher(counting, { sessionId: "session-1" }, clock, noLog);
  const fourSeconds = (): void => {
    for (let passedMs = 0; passedMs < 4000; passedMs += 100) {
      publish(levels);
      clock.advance(100);
    }
  };
  fourSeconds();
  expect(published).toBe(2);
  await liveUpdates.watch({ sessionId: "session-1" }, () => undefined);
  fourSeconds();
  expect(published).toBe(2 + 40);
});

it("publishes that both sides are silent although nobody seems to watch, so that no meter stays at the last level", () => {
  const clock = new VirtualClock();
  const published: unknown[] = [];
  const unwatched: Pick<LiveUpdates, "publish" | "isWatched"> = {
    publish: ({ text }) => published.push(JSON.parse(text)),
    isWatched: () => false,
  };
  const { publish } = createNoticePublisher(unwatched, { sessionId: "session-1" }, clock, noLog);
  const silence: SessionNotice = { type: "audio_levels", payload: { input: 0, output: 0.001 } };
  for (const notice of [levels, levels, silence, silence]) {
    publish(notice);
    clock.advance(200);
  }
  expect(published).toMatchObject([{ payload: levels.payload }, { payload: silence.payload }]);
});

it("[HS-10b] says again what the agent is doing, after whatever else is said now", async () => {
  const seen: unknown[] = [];
  const counted: Pick<LiveUpdates, "publish" | "isWatched"> = {
    publish: ({ text }) => seen.push(JSON.parse(text)),
    isWatched: () => true,
  };
  const { publish, repeatState } = createNoticePublisher(
    counted,
    { sessionId: "session-1" },
    new VirtualClock(),
    noLog,
  );
  await repeatState();
  for (const state of ["thinking", "listening"] as const)
    publish({ type: "event", payload: { name: "state_change", state, agent: "Concierge" } });
  await repeatState();
  await setImmediate();
  expect(seen).toMatchObject(["thinking", "listening", "listening"].map((state) => ({ payload: { state } })));
});
