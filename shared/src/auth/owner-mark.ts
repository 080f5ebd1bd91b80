/**
 * Tells whose something is that outlives its session, because somebody else may use the session's id after that. A hash of the
 * session's id as well, so that nobody sees by it which sessions have the same owner.
 */
import { createHash } from "node:crypto";

/** Without an owner it belongs to the operators. */
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
