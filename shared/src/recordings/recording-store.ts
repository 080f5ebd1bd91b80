/**
 * Storage for recordings. A conversation has one recording per socket that carried it, so a call that another host
 * takes over continues in a new one. Each is a WAV file that is playable at every moment, with its transcript beside
 * it.
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

/** The text files beside the audio; replaced as a whole. */
export interface RecordingDocuments {
  /** `.json` */
  readonly transcript: string;
  /** `.vtt` */
  readonly captions: string;
}

/**
 * One recording in the making. Calls do not overlap. Rejects with `not_found` if the recording was deleted meanwhile (nothing restores it),
 * and with `upstream_unavailable` if the storage failed; the caller may then retry.
 */
export interface RecordingWriter {
  /**
   * Appends whole sample frames of PCM16, little endian. Once it resolves they are durable, whatever happens to this
   * process.
   */
  append(pcm: Uint8Array): Promise<void>;
  describe(documents: RecordingDocuments): Promise<void>;
  /** Releases its resources. Idempotent. */
  close(): Promise<void>;
}

export interface StoredRecording extends RecordingFormat {
  /** The size of the samples, without the header. */
  readonly dataBytes: number;
}

export type WhichRecordings = (recordingId: string) => boolean;

export interface RecordingStore {
  readonly kind: "folder" | "blob" | "memory";
  /** How often audio should be written: a compromise between what a lost process loses and the cost of a write. */
  readonly flushIntervalMs: number;
  /** Starts it again if an earlier attempt was interrupted. Ids are unique otherwise. */
  create(id: RecordingId, format: RecordingFormat): Promise<RecordingWriter>;
  find(id: RecordingId): Promise<StoredRecording | undefined>;
  /** Samples from `start` up to `end`, in bytes of the data. Rejects with `not_found`. */
  read(id: RecordingId, start: number, end: number): Promise<Uint8Array>;
  transcript(id: RecordingId): Promise<string | undefined>;
  /** Checks whether a recording could be started now; rejects with `upstream_unavailable` if not. */
  check(): Promise<void>;
  /** Deletes the recordings under the session's id, or those of them that `which` names. False if there were none. */
  deleteAll(sessionId: string, which?: WhichRecordings): Promise<boolean>;
}
