import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryLiveUpdates } from "@voice/shared/state/memory/live-updates";
import type { LiveUpdate } from "@voice/shared/state/ports/live-updates";
import { expect, it } from "vitest";
import { relayLiveUpdates } from "./relayed-live-updates.ts";

/** A relay whose sends end when the test says so. */
function rig(maxWaiting?: number) {
  const clock = new VirtualClock();
  const outages: string[] = [];
  const sends: { update: LiveUpdate; finish: () => void; fail: () => void }[] = [];
  const updates = relayLiveUpdates({
    liveUpdates: createMemoryLiveUpdates(silentLogger),
    logger: silentLogger,
    clock,
    onOutage: ({ code }) => outages.push(code),
    ...(maxWaiting === undefined ? {} : { maxWaiting }),
    relay: {
      send: (update) =>
        new Promise((resolve, reject) => {
          sends.push({ update, finish: () => resolve(), fail: () => reject(new Error("away")) });
        }),
    },
  });
  const texts = () => sends.map(({ update }) => update.text);
  return { updates, sends, texts, clock, outages };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("keeps the order of a session and lets sessions pass each other", async () => {
  const { updates, sends, texts } = rig();
  for (const [sessionId, text] of [
    ["a", "a1"],
    ["a", "a2"],
    ["b", "b1"],
  ] as const)
    updates.publish({ sessionId, text });
  expect(texts()).toEqual(["a1", "b1"]);
  sends[0]?.finish();
  await settled();
  expect(texts()).toEqual(["a1", "b1", "a2"]);
});

it("tells those who watch here at once, whatever the relay does", async () => {
  const { updates } = rig();
  const seen: string[] = [];
  await updates.watch("all", ({ text }) => seen.push(text));
  updates.publish({ sessionId: "a", text: "one" });
  updates.publish({ sessionId: "a", text: "two" });
  expect(seen).toEqual(["one", "two"]);
});

it("drops and counts what a slow relay cannot take, and goes on when it can", async () => {
  const { updates, sends, texts } = rig(2);
  for (const text of ["1", "2", "3", "4"]) updates.publish({ sessionId: "a", text });
  expect(updates.droppedCount).toBe(2);
  sends[0]?.finish();
  await settled();
  sends[1]?.fail();
  await settled();
  expect(updates.droppedCount).toBe(3);
  updates.publish({ sessionId: "a", text: "5" });
  expect(texts()).toEqual(["1", "2", "5"]);
});

it("keeps only the latest level while the relay is busy with the session, so that its words do not come late", async () => {
  const { updates, sends, texts } = rig();
  const level = (output: number): string => `{"type":"audio_levels","payload":{"input":0,"output":${output}}}`;
  for (const text of ["a word", level(0.3), level(0.4), "the end", level(0)]) updates.publish({ sessionId: "a", text });
  for (const sent of [0, 1]) {
    sends[sent]?.finish();
    await settled();
  }
  expect(texts()).toEqual(["a word", "the end", level(0)]);
  expect(updates.droppedCount).toBe(2);
});

it("levels are published often only while somebody watches here, because the relay does not say whether one does", async () => {
  const { updates } = rig();
  expect(updates.isWatched("a")).toBe(false);
  await updates.watch({ sessionId: "a" }, () => undefined);
  expect(updates.isWatched("a")).toBe(true);
});

it("delivers what is waiting before it is closed, and takes nothing more", async () => {
  const { updates, sends, texts, clock } = rig();
  for (const text of ["a word", "the end"]) updates.publish({ sessionId: "a", text });
  const closed = updates.close();
  updates.publish({ sessionId: "a", text: "too late" });
  sends[0]?.finish();
  await settled();
  sends[1]?.finish();
  await closed;
  expect(texts()).toEqual(["a word", "the end"]);
  expect(clock.pendingTimers).toBe(0);
});

it("the relaying is closed after 3 s although the relay hangs, and sends nothing afterwards", async () => {
  const { updates, sends, texts, clock } = rig();
  for (const text of ["a word", "the end"]) updates.publish({ sessionId: "a", text });
  const closed = updates.close();
  clock.advance(3000);
  await closed;
  sends[0]?.fail();
  await settled();
  expect(texts()).toEqual(["a word"]);
});

it("tells once that the relay fails, until it works again", async () => {
  const { updates, sends, outages } = rig();
  const send = async (end: "finish" | "fail"): Promise<void> => {
    updates.publish({ sessionId: "a", text: "a word" });
    sends.at(-1)?.[end]();
    await settled();
  };
  for (const end of ["fail", "fail", "finish", "fail"] as const) await send(end);
  expect(outages).toEqual(["internal_error", "internal_error"]);
});
