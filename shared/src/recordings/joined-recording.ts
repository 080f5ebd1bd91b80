/**
 * Joins a session's recordings into one file: each at the time at which it began, with silence between them. The result
 * is a plan of which bytes come from where, so that any part of hours of audio can be read without the rest. Pure.
 */
import type { RecordedTranscript, SessionTranscript } from "../contracts/http/recordings.ts";
import { VoiceError } from "../platform/errors.ts";
import type { RecordingFormat, StoredRecording } from "./recording-store.ts";
import { bytesPerSecond, frameBytes, wavHeader, wavHeaderBytes } from "./wav-header.ts";

/** The longest gap: a session may be resumed days later, and nobody wants to listen to days of silence. */
const maxGapMs = 30_000;

export interface StoredSegment {
  readonly recordingId: string;
  readonly startedAtMs: number;
  readonly stored: StoredRecording;
}

interface PlacedSegment extends StoredSegment {
  /** Where the part begins in the joined data, in bytes. */
  readonly offset: number;
}

export interface JoinedRecording {
  readonly format: RecordingFormat;
  readonly startedAtMs: number;
  readonly segments: readonly PlacedSegment[];
  /** With the header. */
  readonly fileBytes: number;
}

/** A piece of the file: bytes as they are, silence, or a part of a recording's data. */
export type FilePart =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "silence"; readonly length: number }
  | { readonly kind: "recording"; readonly recordingId: string; readonly start: number; readonly end: number };

/** `segments` are sorted by start; at least one. Throws `conflict` if their formats differ. */
export function joinRecordings(segments: readonly [StoredSegment, ...StoredSegment[]]): JoinedRecording {
  const [first] = segments;
  const { sampleRateHz, channels } = first.stored;
  const format = { sampleRateHz, channels };
  const placed: PlacedSegment[] = [];
  let end = 0;
  let endedAtMs = first.startedAtMs;
  for (const segment of segments) {
    const { stored, startedAtMs } = segment;
    if (stored.sampleRateHz !== sampleRateHz || stored.channels !== channels)
      throw new VoiceError("conflict", "the recordings of the session have different formats");
    const gapMs = Math.min(maxGapMs, Math.max(0, startedAtMs - endedAtMs));
    const offset = end + toBytes(gapMs, format);
    placed.push({ ...segment, offset });
    end = offset + stored.dataBytes;
    endedAtMs = startedAtMs + toMs(stored.dataBytes, format);
  }
  return { format, startedAtMs: first.startedAtMs, segments: placed, fileBytes: wavHeaderBytes + end };
}

/** The parts that make up the file's bytes from `start` up to `end`. */
export function partsOf(joined: JoinedRecording, start: number, end: number): FilePart[] {
  const parts: FilePart[] = [];
  if (start < wavHeaderBytes) {
    const header = wavHeader(joined.format, joined.fileBytes - wavHeaderBytes);
    parts.push({ kind: "bytes", bytes: header.subarray(start, Math.min(end, wavHeaderBytes)) });
  }
  const until = end - wavHeaderBytes;
  let at = Math.max(0, start - wavHeaderBytes);
  for (const { recordingId, offset, stored } of joined.segments) {
    if (at >= until) break;
    if (at >= offset + stored.dataBytes) continue;
    if (at < offset) parts.push({ kind: "silence", length: Math.min(until, offset) - at });
    const from = Math.max(at, offset) - offset;
    const to = Math.min(until - offset, stored.dataBytes);
    if (to > from) parts.push({ kind: "recording", recordingId, start: from, end: to });
    at = Math.max(at, Math.min(until, offset + stored.dataBytes));
  }
  return parts;
}

/** The transcripts on the time line of the joined file. */
export function joinTranscripts(
  sessionId: string,
  joined: JoinedRecording,
  transcripts: ReadonlyMap<string, RecordedTranscript>,
): SessionTranscript {
  const { format, segments, startedAtMs, fileBytes } = joined;
  const startOf = (offset: number): number => Math.round(toMs(offset, format));
  return {
    session_id: sessionId,
    started_at: new Date(startedAtMs).toISOString(),
    duration_ms: startOf(fileBytes - wavHeaderBytes),
    recordings: segments.map(({ recordingId, offset, stored }) => ({
      recording_id: recordingId,
      start_ms: startOf(offset),
      duration_ms: startOf(stored.dataBytes),
    })),
    entries: segments.flatMap(({ recordingId, offset }) =>
      (transcripts.get(recordingId)?.entries ?? []).map((entry) => ({
        ...entry,
        start_ms: entry.start_ms + startOf(offset),
        end_ms: entry.end_ms + startOf(offset),
      })),
    ),
  };
}

function toMs(bytes: number, format: RecordingFormat): number {
  return (bytes * 1000) / bytesPerSecond(format);
}

/** Whole frames only. */
function toBytes(ms: number, format: RecordingFormat): number {
  return Math.round((ms * format.sampleRateHz) / 1000) * frameBytes(format);
}
