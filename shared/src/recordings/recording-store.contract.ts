/** The contract that every recording store must fulfil. */
import { describe, expect, it } from "vitest";
import { createId } from "../platform/ids.ts";
import type { RecordingFormat, RecordingId, RecordingStore } from "./recording-store.ts";

const format: RecordingFormat = { sampleRateHz: 16_000, channels: 2 };
const documents = (text: string) => ({ transcript: `{"text":"${text}"}`, captions: `WEBVTT\n\n${text}` });

/** A second of stereo whose samples say where they belong. */
function second(number: number): Uint8Array {
  return new Uint8Array(Int16Array.from({ length: 32_000 }, (_none, index) => (number * 7 + index) % 30_000).buffer);
}

export function describeRecordingStore(open: () => Promise<RecordingStore>): void {
  const newId = (recordingId = "20261121t120000000z-0a1b2c3d"): RecordingId => ({
    sessionId: createId("session"),
    recordingId,
  });

  describe("recording store", () => {
    it("[REC-5a] has what was appended as soon as it says so, and describes it", async () => {
      const store = await open();
      const id = newId();
      const writer = await store.create(id, format);
      expect(await store.find(id)).toEqual({ ...format, dataBytes: 0 });
      for (const number of [0, 1, 2]) {
        await writer.append(second(number));
        expect(await store.find(id)).toEqual({ ...format, dataBytes: (number + 1) * 64_000 });
      }
      expect(Buffer.from(await store.read(id, 64_000, 192_000))).toEqual(Buffer.concat([second(1), second(2)]));
      expect(Buffer.from(await store.read(id, 63_998, 64_002))).toEqual(
        Buffer.concat([second(0).subarray(-2), second(1).subarray(0, 2)]),
      );
      await writer.close();
    });

    it("says that it can take a recording, before the first one and after", async () => {
      const store = await open();
      await expect(store.check()).resolves.toBeUndefined();
      await (await store.create(newId(), format)).close();
      await expect(store.check()).resolves.toBeUndefined();
    });

    it("replaces what stands beside the audio", async () => {
      const store = await open();
      const id = newId();
      const writer = await store.create(id, format);
      expect(await store.transcript(id)).toBeUndefined();
      await writer.describe(documents("one"));
      await writer.describe(documents("two"));
      expect(await store.transcript(id)).toBe('{"text":"two"}');
      await writer.close();
      await writer.close();
    });

    it("keeps the recordings of a session apart, and those of other sessions", async () => {
      const store = await open();
      const first = newId("first");
      const second_ = { ...first, recordingId: "second" };
      const other = newId("first");
      for (const [index, id] of [first, second_, other].entries()) {
        const writer = await store.create(id, format);
        await writer.append(second(index));
        await writer.close();
      }
      expect(Buffer.from(await store.read(second_, 0, 64_000))).toEqual(Buffer.from(second(1)));
      expect(await store.deleteAll(first.sessionId)).toBe(true);
      expect(await store.find(first)).toBeUndefined();
      expect(await store.find(second_)).toBeUndefined();
      expect(await store.find(other)).toBeDefined();
      expect(await store.deleteAll(first.sessionId)).toBe(false);
    });

    it("[REC-9] deletes some recordings of a session, and leaves the others as they are", async () => {
      const store = await open();
      const kept = newId("20261121t120000000z-0a1b2c3d");
      const deleted = { ...kept, recordingId: "20261122t120000000z-0a1b2c3d" };
      const isMeant = (recordingId: string): boolean => recordingId === deleted.recordingId;
      const writers = await Promise.all([kept, deleted].map((id) => store.create(id, format)));
      for (const writer of writers) await writer.describe(documents("one"));
      expect(await store.deleteAll(kept.sessionId, isMeant)).toBe(true);
      expect([await store.find(deleted), await store.transcript(deleted)]).toEqual([undefined, undefined]);
      expect(await store.transcript(kept)).toBe('{"text":"one"}');
      const [writerOfKept, writerOfDeleted] = writers;
      await writerOfKept?.append(second(0));
      await expect(writerOfDeleted?.append(second(0))).rejects.toMatchObject({ code: "not_found" });
      await expect(writerOfDeleted?.describe(documents("two"))).rejects.toMatchObject({ code: "not_found" });
      expect(await store.transcript(deleted)).toBeUndefined();
      for (const writer of writers) await writer.close();
      expect(await store.find(kept)).toEqual({ ...format, dataBytes: 64_000 });
      expect(await store.deleteAll(kept.sessionId, isMeant)).toBe(false);
    });

    it("[REC-6] begins a recording again whose beginning failed half-way", async () => {
      const store = await open();
      const id = newId();
      await (await store.create(id, format)).close();
      const writer = await store.create(id, format);
      await writer.append(second(0));
      await writer.close();
      expect(await store.find(id)).toEqual({ ...format, dataBytes: 64_000 });
    });

    it("finds nothing where nothing is", async () => {
      const store = await open();
      const id = newId();
      expect(await store.find(id)).toBeUndefined();
      expect(await store.transcript(id)).toBeUndefined();
      await expect(store.read(id, 0, 4)).rejects.toMatchObject({ code: "not_found" });
      expect(await store.deleteAll(id.sessionId)).toBe(false);
    });

    it("[REC-9] brings nothing back that was deleted while it was made", async () => {
      const store = await open();
      const id = newId();
      const writer = await store.create(id, format);
      await writer.append(second(0));
      await writer.describe(documents("one"));
      await store.deleteAll(id.sessionId);
      await expect(writer.append(second(1))).rejects.toMatchObject({ code: "not_found" });
      await expect(writer.describe(documents("two"))).rejects.toMatchObject({ code: "not_found" });
      await writer.close();
      expect(await store.find(id)).toBeUndefined();
      expect(await store.transcript(id)).toBeUndefined();
    });

    it("[REC-9] writes nothing beside a recording that was deleted before it was described", async () => {
      const store = await open();
      const id = newId();
      const writer = await store.create(id, format);
      await store.deleteAll(id.sessionId);
      await expect(writer.describe(documents("one"))).rejects.toMatchObject({ code: "not_found" });
      await writer.close();
      expect(await store.transcript(id)).toBeUndefined();
    });

    it.each(["../../etc", "..", ".", "A", "a", "session:1@x~y+z", "x".repeat(128)])(
      "[REC-10] keeps the session that a client called %s to itself",
      async (sessionId) => {
        const store = await open();
        const id = { sessionId, recordingId: "only" };
        const writer = await store.create(id, format);
        await writer.append(second(0));
        await writer.close();
        expect(await store.find(id)).toBeDefined();
        expect(await store.find({ ...id, sessionId: `${sessionId}x` })).toBeUndefined();
        expect(await store.deleteAll(sessionId)).toBe(true);
      },
    );

    it("[REC-10] takes no recording whose id could lead elsewhere", async () => {
      const store = await open();
      for (const recordingId of ["../x", "a/b", "", ".", "A", "a.wav"])
        await expect((async () => store.find({ sessionId: "session", recordingId }))()).rejects.toThrow(RangeError);
    });
  });
}
