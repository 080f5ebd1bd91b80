/**
 * Whose a recording is. It outlives its session, and somebody else may use the session's id after that, so that its own id
 * tells it.
 */
import { createHash, randomBytes } from "node:crypto";
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
  return session.owner === undefined ? id : `${id}-${markOf(session.sessionId, session.owner)}`;
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
  const mark = owner === undefined ? undefined : markOf(sessionId, owner);
  return (recordingId) => theirs.has(recordingId) || (markIn(recordingId) === mark && !others.has(recordingId));
}

/** Of the session's id as well, so that nobody sees by it which sessions have the same owner. */
function markOf(sessionId: string, owner: string): string {
  return createHash("sha256")
    .update(JSON.stringify([sessionId, owner]))
    .digest("hex")
    .slice(0, 16);
}

function markIn(recordingId: string): string | undefined {
  return /^\w+-[\da-f]{8}-(?<mark>[\da-f]{16})$/.exec(recordingId)?.groups?.["mark"];
}
