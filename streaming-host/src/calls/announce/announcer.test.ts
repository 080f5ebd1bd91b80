import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import { Announcer } from "./announcer.ts";

function rig() {
  const { callOperations: operations, announcements } = createMemoryState({ clock: new VirtualClock() });
  const asked: string[] = [];
  const warnings: string[] = [];
  let fail: (error: Error) => void = () => undefined;
  const announcer = new Announcer({
    automation: { play: () => Promise.resolve() },
    operations,
    announcements,
    settings: { baseUrl: undefined },
    speak(text) {
      asked.push(text);
      return new Promise((_resolve, reject) => (fail = reject));
    },
    logger: { ...silentLogger, warn: (_fields, message) => void warnings.push(message) },
  });
  return { announcer, asked, warnings, fail: (error: Error) => fail(error) };
}

it("says that words could not be prepared, and prepares the next", async () => {
  const { announcer, asked, warnings, fail } = rig();
  const prepared = announcer.prepare(["Goodbye.", "One moment."], "en-US");
  fail(new Error("the voice is away"));
  await expect.poll(() => asked).toEqual(["Goodbye.", "One moment."]);
  fail(new Error("the voice is away"));
  await prepared;
  expect(warnings).toEqual(["an announcement could not be prepared", "an announcement could not be prepared"]);
});

it("is silent about words that it prepares when the host stops, because the reason for the stop is what has to be read", async () => {
  const { announcer, asked, warnings, fail } = rig();
  const prepared = announcer.prepare(["Goodbye.", "One moment."], "en-US");
  announcer.stop();
  fail(new Error("the voice is closed"));
  await prepared;
  expect(asked).toEqual(["Goodbye."]);
  expect(warnings).toEqual([]);
});
