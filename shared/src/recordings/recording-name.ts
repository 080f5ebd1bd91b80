/** Names that are the same on every file system and in a blob's address, and never lead anywhere else. */
import { createHash } from "node:crypto";
import type { RecordingId } from "./recording-store.ts";

/** Small letters only: some file systems do not tell `A` from `a`. */
const plain = /^[a-z0-9][a-z0-9-]{0,99}$/;

export const fileKinds = ["wav", "json", "vtt"] as const;
export type FileKind = (typeof fileKinds)[number];

/** The folder of a session. Clients choose ids, so one that is not plain goes by its hash; `_` keeps the two apart. */
export function folderName(sessionId: string): string {
  return plain.test(sessionId) ? sessionId : `_${createHash("sha256").update(sessionId).digest("hex")}`;
}

/** Throws a `RangeError` for an id that is not ours. */
export function fileName({ recordingId }: RecordingId, kind: FileKind): string {
  if (!plain.test(recordingId)) throw new RangeError("not the id of a recording");
  return `${recordingId}.${kind}`;
}
