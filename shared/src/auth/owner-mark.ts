/**
 * Identifies the owner of something that outlives its session, because somebody else may later use the session's id. The hash includes the
 * session's id, so that it does not show which sessions have the same owner.
 */
import { createHash } from "node:crypto";

/** A record without an owner belongs to the operators. */
export function ownerMark({
  sessionId,
  owner,
}: {
  readonly sessionId: string;
  readonly owner?: string | undefined;
}): string {
  return createHash("sha256")
    .update(JSON.stringify([sessionId, owner]))
    .digest("hex")
    .slice(0, 16);
}
