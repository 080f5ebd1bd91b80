/**
 * Recordings in a folder: `<session>/<recording>.wav` with `.json` and `.vtt` beside it. The header is brought up to date
 * with every write, so that the file plays at every moment and after the end of the process that wrote it.
 */
import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import { VoiceError } from "../platform/errors.ts";
import { makeFolder } from "../platform/make-folder.ts";
import { fileName, folderName, recordingIdIn } from "./recording-name.ts";
import type { FileKind } from "./recording-name.ts";
import type {
  RecordingDocuments,
  RecordingFormat,
  RecordingId,
  RecordingStore,
  RecordingWriter,
} from "./recording-store.ts";
import { translateErrors } from "./storage-errors.ts";
import { describeWav, wavHeader, wavHeaderBytes } from "./wav-header.ts";

const flushIntervalMs = 1000;
/** A block of most file systems: less may still fit into what a full disk has left. */
const probeBytes = 4096;

const { ifThere, translated } = translateErrors(isMissing);

export function createFolderRecordingStore(directory: string): RecordingStore {
  const root = path.resolve(directory);
  const folderOf = (sessionId: string): string => path.join(root, folderName(sessionId));
  const fileOf = (id: RecordingId, kind: FileKind): string => path.join(folderOf(id.sessionId), fileName(id, kind));

  return {
    kind: "folder",
    flushIntervalMs,
    create: (id, format) =>
      translated(async () => {
        await makeStorage(folderOf(id.sessionId));
        // The file may exist: after a full disk or a failed deletion the same recording is started again.
        const handle = await open(fileOf(id, "wav"), "w");
        try {
          await writeAll(handle, wavHeader(format, 0), 0);
        } catch (error) {
          await handle.close();
          throw error;
        }
        return createWriter(handle, format, (kind) => fileOf(id, kind));
      }),
    async find(id) {
      return ifThere(async () => {
        const handle = await open(fileOf(id, "wav"), "r");
        try {
          const header = Buffer.alloc(wavHeaderBytes);
          await handle.read(header, 0, wavHeaderBytes, 0);
          return describeWav(header, (await handle.stat()).size);
        } finally {
          await handle.close();
        }
      });
    },
    read: (id, start, end) =>
      translated(async () => {
        const handle = await open(fileOf(id, "wav"), "r");
        try {
          const bytes = new Uint8Array(end - start);
          const { bytesRead } = await handle.read(bytes, 0, bytes.length, wavHeaderBytes + start);
          return bytes.subarray(0, bytesRead);
        } finally {
          await handle.close();
        }
      }),
    transcript: (id) => ifThere(() => readFile(fileOf(id, "json"), "utf8")),
    check: () =>
      translated(async () => {
        await makeStorage(root); // as the first recording would
        // Write permission alone does not show whether the disk is full.
        const probe = path.join(root, `.${randomUUID()}.probe`);
        try {
          await writeFile(probe, new Uint8Array(probeBytes));
        } finally {
          await rm(probe, { force: true });
        }
      }),
    deleteAll: (sessionId, which = () => true) =>
      translated(async () => {
        const folder = folderOf(sessionId);
        const names = await ifThere(() => readdir(folder));
        if (names === undefined) return false;
        const meant = names.filter((name) => which(recordingIdIn(name)));
        // The audio first, because writers of the other files check whether it still exists.
        const audioFirst = meant.toSorted((a, b) => Number(isAudio(b)) - Number(isAudio(a)));
        for (const name of audioFirst) await rm(path.join(folder, name), { force: true });
        // Another process may be writing into the folder.
        if (meant.length === names.length) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
        return meant.length > 0 || names.length === 0;
      }),
  };
}

/** An unusable folder is a failure of the storage, and not a missing recording. */
async function makeStorage(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
  } catch (cause) {
    throw new VoiceError("upstream_unavailable", "the folder of the recordings cannot be made", { cause });
  }
}

function createWriter(
  handle: FileHandle,
  format: RecordingFormat,
  fileOf: (kind: FileKind) => string,
): RecordingWriter {
  let dataBytes = 0;
  let closing: Promise<void> | undefined;

  /** An open file survives its deletion; a deleted recording must neither grow nor get further files. */
  async function requireAudio(tidy?: () => Promise<unknown>): Promise<void> {
    if ((await handle.stat()).nlink > 0) return;
    await tidy?.();
    throw new VoiceError("not_found", "the recording was deleted");
  }

  async function replace(kind: FileKind, text: string): Promise<void> {
    // Written to a temporary file first, so that readers find either the old file or the new one, complete, even after a crash.
    const file = fileOf(kind);
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  }

  return {
    append: (pcm) =>
      translated(async () => {
        await requireAudio();
        const longer = dataBytes + pcm.length;
        await writeAll(handle, pcm, wavHeaderBytes + dataBytes);
        await writeAll(handle, wavHeader(format, longer), 0);
        dataBytes = longer; // only now, so that a retry after a failure writes the same samples to the same place
      }),
    describe: ({ transcript, captions }: RecordingDocuments) =>
      translated(async () => {
        await requireAudio();
        // The folder is not created again: if it is missing, the session was deleted.
        await replace("json", transcript);
        await replace("vtt", captions);
        await requireAudio(() =>
          Promise.all([rm(fileOf("json"), { force: true }), rm(fileOf("vtt"), { force: true })]),
        );
      }),
    close: () => (closing ??= handle.close()),
  };
}

/** A nearly full disk accepts only part of a write; writing the rest then fails properly. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

const isAudio = (name: string): boolean => name.endsWith(".wav");

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
