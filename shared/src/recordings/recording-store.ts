/**
 * Where recordings are kept. A conversation has one recording per socket that carried it: a call that is taken over by
 * another host goes on in the next one. Each is a WAV file that is playable at every moment, and what was said beside it.
 */

export interface RecordingFormat {
  readonly sampleRateHz: number;
  /** Two: caller left, agent right. One: the caller only. */
  readonly channels: 1 | 2;
}

export interface RecordingId {
  readonly sessionId: string;
  /** Lower case letters, digits and hyphens: it stands in a file's name. */
  readonly recordingId: string;
}

/** What stands beside the audio, as text; replaced as a whole. */
export interface RecordingDocuments {
  /** `.json` */
  readonly transcript: string;
  /** `.vtt` */
  readonly captions: string;
}

/**
 * One recording in the making. Calls do not overlap. Rejects with `not_found` when the recording was deleted meanwhile
 * (nothing brings it back), and with `upstream_unavailable` when the storage failed; the caller may then try again.
 */
export interface RecordingWriter {
  /** Whole sample frames of PCM16, little endian. Once it resolves they are kept, whatever becomes of this process. */
  append(pcm: Uint8Array): Promise<void>;
  describe(documents: RecordingDocuments): Promise<void>;
  /** Lets go of what it holds. Idempotent. */
  close(): Promise<void>;
}

export interface StoredRecording extends RecordingFormat {
  /** The size of the samples, without the header. */
  readonly dataBytes: number;
}

export interface RecordingStore {
  readonly kind: "folder" | "blob" | "memory";
  /** How often it wants to be given audio: what a lost process takes with it, against the price of a write. */
  readonly flushIntervalMs: number;
  create(id: RecordingId, format: RecordingFormat): Promise<RecordingWriter>;
  find(id: RecordingId): Promise<StoredRecording | undefined>;
  /** Samples from `start` up to `end`, in bytes of the data. Rejects with `not_found`. */
  read(id: RecordingId, start: number, end: number): Promise<Uint8Array>;
  transcript(id: RecordingId): Promise<string | undefined>;
  /** Whether a recording could be begun now; rejects with `upstream_unavailable`. */
  check(): Promise<void>;
  /** Everything of the session. False when there was nothing. */
  deleteAll(sessionId: string): Promise<boolean>;
}
