/**
 * A conversation that is to be archived waits in the outbox of webhooks, as a delivery to a receiver of its own, so that
 * another host archives it if the one that carried it dies. Each end is a delivery, because a conversation that is resumed is
 * archived again as a whole, also where nobody said anything in between.
 */
import { createHash } from "node:crypto";
import { ownerMark } from "../auth/owner-mark.ts";
import type { SessionRecord } from "../state/ports/session-store.ts";
import { archiveReceiver, type WebhookDelivery } from "../state/ports/webhook-outbox.ts";

/** `session` as the write that ends it makes it, with the version that it had before. */
export function archiveDelivery(session: SessionRecord): WebhookDelivery {
  const { sessionId, createdAtMs, lastActivityAtMs, version } = session;
  const end = JSON.stringify([sessionId, createdAtMs, version]);
  return {
    id: `arc_${createHash("sha256").update(end).digest("hex").slice(0, 32)}`,
    type: "session.ended",
    subject: sessionId,
    sessionId,
    ownerMark: ownerMark(session),
    conversation: { createdAtMs, storedAtMs: lastActivityAtMs },
    receiver: archiveReceiver,
  };
}
