import { silentLogger } from "@voice/shared/platform/logger";
import { MemoryLiveUpdates } from "@voice/shared/state/memory/live-updates";
import type { LiveUpdate } from "@voice/shared/state/ports/live-updates";
import { expect, it } from "vitest";
import { relayLiveUpdates } from "./relayed-live-updates.ts";

/** A relay whose sends end when the test says so. */
function rig(maxWaiting?: number) {
  const sends: { update: LiveUpdate; finish: () => void; fail: () => void }[] = [];
  const updates = relayLiveUpdates({
    liveUpdates: new MemoryLiveUpdates(silentLogger),
    logger: silentLogger,
    ...(maxWaiting === undefined ? {} : { maxWaiting }),
    relay: {
      send: (update) =>
        new Promise((resolve, reject) => {
          sends.push({ update, finish: () => resolve(), fail: () => reject(new Error("away")) });
        }),
    },
  });
  const texts = () => sends.map(({ update }) => update.text);
  return { updates, sends, texts };
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
