/** Names that are valid and unambiguous on every file system and in blob addresses, and cannot escape their folder. */
import { createHash } from "node:crypto";
import type { RecordingId } from "./recording-store.ts";

/** Small letters only: some file systems do not tell `A` from `a`. */
const plain = /^[a-z0-9][a-z0-9-]{0,99}$/;

export const fileKinds = ["wav", "json", "vtt"] as const;
export type FileKind = (typeof fileKinds)[number];

/**
 * A session's folder. Clients choose ids, so one that is not plain is replaced by its hash; `_` distinguishes the two.
 */
export function folderName(sessionId: string): string {
  return plain.test(sessionId) ? sessionId : `_${createHash("sha256").update(sessionId).digest("hex")}`;
}

/** The recording to which a file belongs, including one whose writing was interrupted. */
export function recordingIdIn(name: string): string {
  return name.slice(0, name.indexOf("."));
}

/** Throws a `RangeError` for an id that is not ours. */
export function fileName({ recordingId }: RecordingId, kind: FileKind): string {
  if (!plain.test(recordingId)) throw new RangeError("not the id of a recording");
  return `${recordingId}.${kind}`;
}
