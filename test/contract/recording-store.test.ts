/** The storages of recordings, real ones: a folder of this machine, and the cloud's client over a real socket. */
import { mkdtemp, open, readFile, readdir, rm, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createBlobRecordingStore } from "@voice/shared/recordings/blob-recording-store";
import { createFolderRecordingStore } from "@voice/shared/recordings/folder-recording-store";
import { describeRecordingStore } from "@voice/shared/recordings/recording-store.contract";
import { decodeWav } from "@voice/provider-kit/audio/wav";
import { MemoryRecordingStore } from "@voice/streaming-host/testing/memory-recording-store";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { startBlobStorage } from "../fakes/blob-storage.ts";
import type { BlobStorage } from "../fakes/blob-storage.ts";

const format = { sampleRateHz: 16_000, channels: 2 } as const;
const id = { sessionId: "session-1", recordingId: "only" };
const tone = new Uint8Array(Int16Array.from({ length: 3200 }, (_none, index) => index).buffer);

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "recordings-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe("in memory", () => {
  describeRecordingStore(async () => new MemoryRecordingStore());
});

describe("in a folder", () => {
  describeRecordingStore(async () => createFolderRecordingStore(await newFolder()));

  it("is checked by a write that leaves nothing behind", async () => {
    const folder = await newFolder();
    await createFolderRecordingStore(folder).check();
    expect(await readdir(folder)).toEqual([]);
  });

  it("[REC-5a] is a WAV file that any player can play at every moment while it grows", async () => {
    const folder = await newFolder();
    const writer = await createFolderRecordingStore(folder).create(id, format);
    const file = path.join(folder, "session-1", "only.wav");
    for (const appended of [0, 1, 2]) {
      const bytes = await readFile(file);
      expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
      expect(decodeWav(bytes)).toMatchObject({ ...format, samples: { length: appended * 3200 } });
      await writer.append(tone);
    }
    await writer.close();
  });

  it("keeps the transcript and the captions beside it, and no trace of how they were written", async () => {
    const folder = await newFolder();
    const writer = await createFolderRecordingStore(folder).create(id, format);
    await writer.describe({ transcript: "{}", captions: "WEBVTT" });
    await writer.close();
    expect((await readdir(path.join(folder, "session-1"))).toSorted()).toEqual(["only.json", "only.vtt", "only.wav"]);
  });

  it("[REC-6] has samples only once that are written again because the header behind them could not be", async () => {
    const folder = await newFolder();
    const writer = await createFolderRecordingStore(folder).create(id, format);
    const anyFile = await open(path.join(folder, "any"), "w");
    await anyFile.close();
    const prototype: Pick<FileHandle, "write"> = Object.getPrototypeOf(anyFile);
    const { write } = prototype;
    let writes = 0;
    const spy = vi.spyOn(prototype, "write").mockImplementation(function (this: unknown, ...given: unknown[]) {
      writes += 1;
      return writes === 2 ? Promise.reject(new Error("input/output error")) : Reflect.apply(write, this, given);
    });
    onTestFinished(() => spy.mockRestore());
    await expect(writer.append(tone)).rejects.toMatchObject({ code: "upstream_unavailable" });
    await writer.append(tone);
    await writer.close();
    const bytes = await readFile(path.join(folder, "session-1", "only.wav"));
    expect(decodeWav(bytes)).toMatchObject({ ...format, samples: { length: 3200 } });
  });

  it("says that the storage failed when it is not a folder", async () => {
    const folder = await newFolder();
    const file = path.join(folder, "file");
    const first = await createFolderRecordingStore(folder).create({ ...id, sessionId: "file" }, format);
    await first.close();
    expect((await stat(file)).isDirectory()).toBe(true);
    const store = createFolderRecordingStore(path.join(file, "only.wav"));
    await expect(store.create(id, format)).rejects.toMatchObject({ code: "upstream_unavailable" });
    await expect(store.check()).rejects.toMatchObject({ code: "upstream_unavailable" });
  });
});

describe("in Blob storage", () => {
  let storage: BlobStorage;
  // `BLOB_CONNECTION_STRING` names another storage to hold the suite against: Azurite, or a real account.
  const given = process.env["BLOB_CONNECTION_STRING"];

  beforeAll(async () => {
    storage = await startBlobStorage();
  });

  afterAll(() => storage.close());

  const openStore = (connectionString = given ?? storage.connectionString) =>
    createBlobRecordingStore({ access: { connectionString }, container: "recordings" });

  describeRecordingStore(async () => openStore());

  it("[REC-5a] is a WAV file that any player can play at every moment while it grows", async () => {
    const store = openStore(storage.connectionString);
    const writer = await store.create({ ...id, sessionId: "session-2" }, format);
    for (const appended of [0, 1, 2]) {
      const bytes = storage.content("recordings/session-2/only.wav") ?? Buffer.alloc(0);
      expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
      expect(decodeWav(bytes)).toMatchObject({ ...format, samples: { length: appended * 3200 } });
      await writer.append(tone);
    }
    expect(storage.contentType("recordings/session-2/only.wav")).toBe("audio/wav");
    await writer.close();
  });

  it("[REC-6] appends what failed when it is asked again, once", async () => {
    const store = openStore(storage.connectionString);
    const own = { ...id, sessionId: "session-3" };
    const writer = await store.create(own, format);
    storage.fault = "unavailable";
    await expect(writer.append(tone)).rejects.toMatchObject({ code: "upstream_unavailable" });
    storage.fault = undefined;
    await writer.append(tone);
    await writer.append(tone);
    expect(await store.find(own)).toMatchObject({ dataBytes: 2 * tone.length });
    await writer.close();
  });

  it("does not keep a failure to make the container", async () => {
    storage.fault = "unavailable";
    const store = openStore(storage.connectionString);
    const own = { ...id, sessionId: "session-4" };
    await expect(store.create(own, format)).rejects.toMatchObject({ code: "upstream_unavailable" });
    await expect(store.check()).rejects.toMatchObject({ code: "upstream_unavailable" });
    storage.fault = undefined;
    await (await store.create(own, format)).close();
    expect(await store.find(own)).toBeDefined();
  });
});
