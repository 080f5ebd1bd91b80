/**
 * Identifies the owner of a recording by the recording's own id, because it outlives its session, and somebody else may use the session's
 * id after that.
 */
import { randomBytes } from "node:crypto";
import { ownerMark } from "../auth/owner-mark.ts";
import type { WhichRecordings } from "./recording-store.ts";

interface Owned {
  /** Absent if it belongs to the operators. */
  readonly owner?: string | undefined;
}

export interface OwnedSession extends Owned {
  readonly sessionId: string;
}

export interface RecordedConversation extends Owned {
  readonly recordingIds: readonly string[];
}

/** Ids sort by time, and are unique although two hosts may record the same session in the same millisecond. */
export function createRecordingId(session: OwnedSession, wallNowMs: number): string {
  const time = new Date(wallNowMs).toISOString().replaceAll(/[-:.]/g, "").toLowerCase();
  const id = `${time}-${randomBytes(4).toString("hex")}`;
  return session.owner === undefined ? id : `${id}-${ownerMark(session)}`;
}

/**
 * The recordings under the session's id that are its owner's. `known`: the conversations under this id; their recordings
 * have no mark if they are from before there were marks.
 */
export function recordingsOf(
  { sessionId, owner }: OwnedSession,
  known: readonly RecordedConversation[],
): WhichRecordings {
  const theirs = new Set(known.filter((one) => one.owner === owner).flatMap(({ recordingIds }) => recordingIds));
  const others = new Set(known.filter((one) => one.owner !== owner).flatMap(({ recordingIds }) => recordingIds));
  const mark = owner === undefined ? undefined : ownerMark({ sessionId, owner });
  return (recordingId) => {
    const itsMark = markIn(recordingId);
    if (itsMark !== undefined) return itsMark === mark;
    return theirs.has(recordingId) || (mark === undefined && !others.has(recordingId));
  };
}

function markIn(recordingId: string): string | undefined {
  return /^\w+-[\da-f]{8}-(?<mark>[\da-f]{16})$/.exec(recordingId)?.groups?.["mark"];
}
