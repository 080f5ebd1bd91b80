import { decodeWav } from "@voice/provider-kit/audio/wav";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import { Announcer, announcementRateHz } from "./announcer.ts";

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

it("the announcer logs nothing about words that it prepares when the host stops, because the reason for the stop is what has to be read", async () => {
  const { announcer, asked, warnings, fail } = rig();
  const prepared = announcer.prepare(["Goodbye.", "One moment."], "en-US");
  announcer.stop();
  fail(new Error("the voice is closed"));
  await prepared;
  expect(asked).toEqual(["Goodbye."]);
  expect(warnings).toEqual([]);
});

it("an announcement is played in 16 kHz mono, and waits for as long as it takes, because the call may be hung up after it", async () => {
  const clock = new VirtualClock();
  const { callOperations: operations, announcements, calls } = createMemoryState({ clock });
  const played: string[] = [];
  const announcer = new Announcer({
    automation: {
      async play({ audioUrl, operationContext }) {
        played.push(audioUrl);
        clock.setTimer(25_000, () => void operations.settle({ callId: "call-1", operationContext }, { ok: true }));
      },
    },
    operations,
    announcements,
    settings: { baseUrl: "https://voice.example.com" },
    speak: async () => new Int16Array(20 * announcementRateHz),
    logger: silentLogger,
  });
  const call = await calls.create({ ...newCall("call-1", clock.wallNow()), callConnectionId: "connection-1" });
  const said = announcer.say(call, { id: "1", text: "All lines are taken.", language: "en-US", isFixed: true });
  await clock.advanceAsync(26_000, 250);
  expect(await said).toBe(true);
  const stored = await announcements.get(played[0]?.split("/").at(-1) ?? "");
  expect(decodeWav(stored ?? Buffer.alloc(0))).toMatchObject({
    sampleRateHz: 16_000,
    channels: 1,
    samples: { length: 320_000 },
  });
});

it("keeps the words of the languages in which calls were held last, and those that it prepared", async () => {
  const clock = new VirtualClock();
  const { callOperations: operations, announcements, calls } = createMemoryState({ clock });
  const asked: string[] = [];
  const announcer = new Announcer({
    automation: {
      async play({ operationContext }) {
        await operations.settle({ callId: "call-1", operationContext }, { ok: true });
      },
    },
    operations,
    announcements,
    settings: { baseUrl: "https://voice.example.com" },
    async speak(_text, language) {
      asked.push(language);
      return new Int16Array(1);
    },
    logger: silentLogger,
  });
  const call = await calls.create({ ...newCall("call-1", clock.wallNow()), callConnectionId: "connection-1" });
  await announcer.prepare(["Goodbye."], "en-US");
  const tags = Array.from({ length: 33 }, (_, index) => `en-x-a${index}`);
  for (const [index, language] of [...tags, "en-x-a32", "en-x-a0", "en-US"].entries())
    await announcer.say(call, { id: String(index), text: "Goodbye.", language, isFixed: true });
  expect(asked).toEqual(["en-US", ...tags, "en-x-a0"]);
});
