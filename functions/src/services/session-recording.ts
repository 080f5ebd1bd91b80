/** Finds a session's recordings and reads them as one. */
import { recordedTranscript } from "@voice/shared/contracts/http/recordings";
import type { RecordedTranscript, SessionTranscript } from "@voice/shared/contracts/http/recordings";
import { BadRequestError, toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { joinRecordings, joinTranscripts, partsOf } from "@voice/shared/recordings/joined-recording";
import type { JoinedRecording, StoredSegment } from "@voice/shared/recordings/joined-recording";
import type { RecordingStore, StoredRecording } from "@voice/shared/recordings/recording-store";
import type { SessionRecording } from "@voice/shared/state/ports/session-store";
import type { Dependencies } from "../dependencies.ts";
import { findConversation, type AskedConversation, type FoundConversation } from "./find-conversation.ts";

/** The size of one read from the storage, and so the memory that a stalled client can occupy. */
const pieceBytes = 1024 * 1024;

interface AskedRecording extends AskedConversation {
  readonly recording_id?: string | undefined;
}

type KnownRecording = Pick<SessionRecording, "recordingId" | "startedAtMs"> & {
  /** For a recording in progress whose first second has not reached the storage: an empty one in its place. */
  readonly begun?: StoredRecording;
};

interface FoundRecording {
  readonly sessionId: string;
  readonly store: RecordingStore;
  readonly joined: JoinedRecording;
}

/** Opens one of the conversation's recordings, or all of them. Rejects with `not_found` if there is none. */
export async function findRecording(
  { recording_id: recordingId, ...asked }: AskedRecording,
  { state, archive, recordings }: Pick<Dependencies, "state" | "archive" | "recordings">,
): Promise<FoundRecording> {
  const { session_id: sessionId } = asked;
  const known = recordingsIn(await findConversation(asked, { state, archive }));
  const wanted = recordingId === undefined ? known : known.filter((each) => each.recordingId === recordingId);
  const store = wanted.length === 0 ? undefined : await recordings();
  const [first, ...rest] = store === undefined ? [] : await findSegments(sessionId, wanted, store);
  if (store === undefined || first === undefined)
    throw new BadRequestError("not_found", "There is no such recording of this session.");
  return { sessionId, store, joined: joinAll([first, ...rest]) };
}

function recordingsIn(found: FoundConversation): readonly KnownRecording[] {
  if (found.isStored)
    return (found.session.recordings ?? []).map(({ recordingId, startedAtMs, status, sampleRateHz, channels }) => ({
      recordingId,
      startedAtMs,
      ...(status === "recording" ? { begun: { sampleRateHz, channels, dataBytes: 0 } } : {}),
    }));
  return found.archived.recordings.map(({ recording_id, started_at }) => ({
    recordingId: recording_id,
    startedAtMs: Date.parse(started_at),
  }));
}

/** Bytes of the WAV file from `start` up to `end`. */
export async function readRecording(
  { sessionId, store, joined }: FoundRecording,
  start: number,
  end: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (const part of partsOf(joined, start, end)) {
    if (part.kind === "bytes") chunks.push(part.bytes);
    else if (part.kind === "silence") chunks.push(new Uint8Array(part.length));
    else chunks.push(await store.read({ sessionId, recordingId: part.recordingId }, part.start, part.end));
  }
  const bytes = Buffer.concat(chunks);
  // The length was already announced, so a file that has become shorter is being deleted.
  if (bytes.length !== end - start) throw new VoiceError("upstream_unavailable", "a recording ended early");
  return bytes;
}

/**
 * Streams the whole WAV file, because an hour is 230 MB. The first piece is read before this resolves, so that an
 * unavailable storage causes an error response and not a truncated one.
 */
export async function streamRecording(found: FoundRecording, logger: Logger): Promise<AsyncIterable<Uint8Array>> {
  const { fileBytes } = found.joined;
  const read = (at: number): Promise<Uint8Array> => readRecording(found, at, Math.min(at + pieceBytes, fileBytes));
  const first = await read(0);

  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield first;
    try {
      for (let at = pieceBytes; at < fileBytes; at += pieceBytes) yield await read(at);
    } catch (error) {
      logger.warn({ error, code: toVoiceError(error).code }, "a recording was cut short on its way to the client");
      throw error;
    }
  }
  return pieces();
}

export async function readTranscript({ sessionId, store, joined }: FoundRecording): Promise<SessionTranscript> {
  const transcripts = await Promise.all(
    joined.segments.map(async ({ recordingId }): Promise<readonly (readonly [string, RecordedTranscript])[]> => {
      const text = await store.transcript({ sessionId, recordingId });
      return text === undefined ? [] : [[recordingId, recordedTranscript.parse(JSON.parse(text))]];
    }),
  );
  return joinTranscripts(sessionId, joined, new Map(transcripts.flat()));
}

async function findSegments(
  sessionId: string,
  wanted: readonly KnownRecording[],
  store: RecordingStore,
): Promise<StoredSegment[]> {
  const found = await Promise.all(
    wanted.map(async ({ recordingId, startedAtMs, begun }): Promise<StoredSegment[]> => {
      const stored = (await store.find({ sessionId, recordingId })) ?? begun;
      return stored === undefined ? [] : [{ recordingId, startedAtMs, stored }];
    }),
  );
  return found.flat();
}

function joinAll(segments: readonly [StoredSegment, ...StoredSegment[]]): JoinedRecording {
  try {
    return joinRecordings(segments);
  } catch (error) {
    if (!(error instanceof VoiceError) || error.code !== "conflict") throw error;
    throw new BadRequestError(
      "conflict",
      "The session's recordings have different formats; ask for one of them with `recording_id`.",
    );
  }
}
