import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { MemoryRecordingStore } from "../../testing/memory-recording-store.ts";
import { WriteBehind } from "./write-behind.ts";

const format = { sampleRateHz: 16_000, channels: 2 } as const;
const id = { sessionId: "session-1", recordingId: "only" };
const secondBytes = 64_000;

function rig() {
  const clock = new VirtualClock();
  const store = new MemoryRecordingStore();
  const lines: string[] = [];
  const note = (_fields: unknown, message: string): void => {
    lines.push(message);
  };
  let failures = 0;
  const writeBehind = new WriteBehind({
    create: () => store.create(id, format),
    format,
    flushIntervalMs: 1000,
    documents: () => undefined,
    clock,
    logger: { ...silentLogger, warn: note, info: note },
    onFailure: () => (failures += 1),
  });
  let pushed = 0;
  /** Each second is filled with its own number. */
  async function record(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      writeBehind.push(new Uint8Array(secondBytes).fill((pushed += 1)));
      writeBehind.tick();
      await clock.advanceAsync(1000, 1000);
    }
  }
  /** The number of each second that was kept; 0 for silence. */
  async function kept(): Promise<number[]> {
    const { dataBytes = 0 } = (await store.find(id)) ?? {};
    const bytes = await store.read(id, 0, dataBytes);
    return Array.from({ length: dataBytes / secondBytes }, (_none, index) => bytes[index * secondBytes] ?? -1);
  }
  async function finish() {
    const finishing = writeBehind.finish(10_000);
    await clock.advanceAsync(11_000, 500);
    return finishing;
  }
  return { clock, store, writeBehind, record, kept, finish, lines, failures: () => failures };
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_none, i) => from + i);

describe("writing behind a call", () => {
  it("hands over everything, in order", async () => {
    const { record, kept, finish } = rig();
    await record(5);
    expect(await finish()).toEqual({ outcome: "complete", lostMs: 0 });
    expect(await kept()).toEqual([1, 2, 3, 4, 5]);
  });

  it("[REC-6] keeps what is heard while the storage is away, and loses nothing within half a minute", async () => {
    const { store, record, kept, finish, lines, failures } = rig();
    await record(2);
    store.failure = new VoiceError("upstream_unavailable", "away");
    await record(20);
    store.failure = undefined;
    await record(15);
    expect(await finish()).toEqual({ outcome: "complete", lostMs: 0 });
    expect(await kept()).toEqual(numbers(1, 37));
    expect(lines).toEqual([
      "the storage of recordings failed; what is heard waits",
      "the storage of recordings works again",
    ]);
    expect(failures()).toBeGreaterThan(1);
  });

  it("[REC-6] puts silence where an outage lasted longer, and nothing out of its place", async () => {
    const { store, record, kept, finish } = rig();
    await record(2);
    store.failure = new VoiceError("upstream_unavailable", "away");
    await record(60);
    store.failure = undefined;
    await record(20);
    const { outcome, lostMs } = await finish();
    expect(outcome).toBe("incomplete");
    const seconds = await kept();
    expect(seconds).toHaveLength(82);
    expect(seconds.every((number, index) => number === 0 || number === index + 1)).toBe(true);
    expect(seconds.slice(0, 30)).toEqual(numbers(1, 30));
    expect(seconds.slice(-10)).toEqual(numbers(73, 82));
    expect(seconds.filter((number) => number === 0)).toHaveLength(lostMs / 1000);
  });

  it("[REC-6] bounds what waits for a storage that hangs, and says that it is slow", async () => {
    const { store, record, kept, finish, lines, clock } = rig();
    await record(1);
    const gate = Promise.withResolvers<undefined>();
    store.gate = gate.promise;
    await record(120);
    expect(lines).toEqual(["the storage of recordings is slow"]);
    store.gate = undefined;
    gate.resolve(undefined);
    await clock.advanceAsync(1000, 100);
    const { outcome, lostMs } = await finish();
    expect(outcome).toBe("incomplete");
    expect(lostMs).toBe(90_000);
    expect(await kept()).toHaveLength(121);
  });

  it("[REC-6] gives up at the end what a storage that hangs does not take", async () => {
    const { store, record, finish } = rig();
    store.gate = new Promise(() => undefined);
    await record(3);
    expect(await finish()).toEqual({ outcome: "failed", lostMs: 3000 });
  });

  it("[REC-9] stops when the recording was deleted", async () => {
    const { store, record, finish, kept, writeBehind } = rig();
    await record(2);
    await store.deleteAll(id.sessionId);
    await record(3);
    expect(writeBehind.isDeleted).toBe(true);
    expect(await finish()).toEqual({ outcome: "deleted", lostMs: 0 });
    await expect(kept()).rejects.toMatchObject({ code: "not_found" });
  });
});
