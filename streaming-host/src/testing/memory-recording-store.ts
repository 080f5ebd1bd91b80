/** Recordings in memory, whose storage a test can make slow or unavailable. */
import { VoiceError } from "@voice/shared/platform/errors";
import { fileName, folderName, recordingIdIn } from "@voice/shared/recordings/recording-name";
import type {
  RecordingDocuments,
  RecordingFormat,
  RecordingId,
  RecordingStore,
  RecordingWriter,
  WhichRecordings,
} from "@voice/shared/recordings/recording-store";

interface Kept {
  readonly format: RecordingFormat;
  readonly pcm: Uint8Array[];
  documents: RecordingDocuments | undefined;
}

export class MemoryRecordingStore implements RecordingStore {
  readonly kind = "memory";
  readonly flushIntervalMs: number;
  /** If set, every write fails with this error. */
  failure: Error | undefined;
  /** If set, every write waits for this. */
  gate: Promise<unknown> | undefined;
  writes = 0;
  /** How often documents were written. */
  descriptions = 0;
  readonly #kept = new Map<string, Kept>();

  constructor(flushIntervalMs = 1000) {
    this.flushIntervalMs = flushIntervalMs;
  }

  async create(id: RecordingId, format: RecordingFormat): Promise<RecordingWriter> {
    await this.#write();
    const key = keyOf(id);
    const kept: Kept = { format, pcm: [], documents: undefined };
    this.#kept.set(key, kept);
    const living = (): Kept => {
      if (this.#kept.get(key) !== kept) throw new VoiceError("not_found", "the recording was deleted");
      return kept;
    };
    return {
      append: async (pcm) => {
        await this.#write();
        living().pcm.push(pcm);
      },
      describe: async (documents) => {
        await this.#write();
        this.descriptions += 1;
        living().documents = documents;
      },
      close: async () => undefined,
    };
  }

  async find(id: RecordingId) {
    const kept = this.#kept.get(keyOf(id));
    return kept && { ...kept.format, dataBytes: kept.pcm.reduce((sum, { length }) => sum + length, 0) };
  }

  async read(id: RecordingId, start: number, end: number): Promise<Uint8Array> {
    const kept = this.#kept.get(keyOf(id));
    if (kept === undefined) throw new VoiceError("not_found", "there is no such recording");
    return Buffer.concat(kept.pcm).subarray(start, end);
  }

  async transcript(id: RecordingId): Promise<string | undefined> {
    return this.#kept.get(keyOf(id))?.documents?.transcript;
  }

  async check(): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
  }

  async deleteAll(sessionId: string, which: WhichRecordings = () => true): Promise<boolean> {
    const folder = `${folderName(sessionId)}/`;
    const keys = [...this.#kept.keys()].filter(
      (key) => key.startsWith(folder) && which(recordingIdIn(key.slice(folder.length))),
    );
    for (const key of keys) this.#kept.delete(key);
    return keys.length > 0;
  }

  async #write(): Promise<void> {
    this.writes += 1;
    await this.gate;
    if (this.failure !== undefined) throw this.failure;
  }
}

function keyOf(id: RecordingId): string {
  return `${folderName(id.sessionId)}/${fileName(id, "wav")}`;
}
