/**
 * Conversations that have ended and are to be archived: a lane of the queue, so that another host archives one if the host
 * that carried it dies. Each end is a piece of work, because a conversation that is resumed is archived again as a whole, also
 * where nobody said anything in between. Deleting the session leaves it in the queue, because somebody may be writing to the
 * archive just now: whoever has it finds that the session is gone, and takes out of the archive what was written.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { beginDue, type Hold, type WorkQueue } from "../ports/work-queue.ts";
import type { SessionRecord } from "../ports/session-store.ts";
import { jsonOf } from "../stored-json.ts";

export interface ConversationToArchive {
  /** Of its end. */
  readonly id: string;
  readonly sessionId: string;
  readonly createdAtMs: number;
  /** Until when it had certainly been stored. */
  readonly storedAtMs: number;
}

export interface TakenConversation extends ConversationToArchive {
  /** 1 for the first. */
  readonly attempt: number;
}

export interface ConversationsToArchive {
  /** As `WorkQueue` has it. */
  put(conversation: ConversationToArchive, dueInMs: number): Promise<void>;
  /** It has ended. */
  hasten(conversation: ConversationToArchive, dueInMs: number): Promise<void>;
  take(limit: number, leaseMs: number): Promise<readonly TakenConversation[]>;
  /** It has to be tried again. */
  postpone(attempt: TakenConversation, dueInMs: number): Promise<void>;
  /** It is archived, given up, or there is nothing to archive. */
  finish(attempt: TakenConversation): Promise<void>;
}

/** Not the name of any receiver of webhooks, which is made of their address. */
export const archiveLane = "archive";

/** `session` as the write that ends it makes it, with the version that it had before. */
export function conversationToArchive(session: SessionRecord): ConversationToArchive {
  const { sessionId, createdAtMs, lastActivityAtMs: storedAtMs, version } = session;
  const end = JSON.stringify([sessionId, createdAtMs, version]);
  const id = `arc_${createHash("sha256").update(end).digest("hex").slice(0, 32)}`;
  return { id, sessionId, createdAtMs, storedAtMs };
}

const stored = jsonOf(
  z.object({
    id: z.string(),
    sessionId: z.string(),
    conversation: z.object({ createdAtMs: z.number(), storedAtMs: z.number() }),
  }),
);

export function createConversationsToArchive(queue: WorkQueue): ConversationsToArchive {
  return {
    put: ({ id, sessionId, createdAtMs, storedAtMs }, dueInMs) => {
      const facts = { id, sessionId, conversation: { createdAtMs, storedAtMs } };
      // Hosts of the version before this one read it as a delivery to a receiver.
      const delivery = { ...facts, type: "session.ended", subject: sessionId, receiver: archiveLane };
      return queue.put(idOf({ id }), { facts: JSON.stringify(delivery) }, dueInMs);
    },
    hasten: (conversation, dueInMs) => queue.hasten(idOf(conversation), dueInMs),
    async take(limit, leaseMs) {
      const begun = await beginDue(queue, { limit, leaseMs, lane: archiveLane });
      return begun.map(({ facts, attempt }) => {
        const { id, sessionId, conversation } = stored.parse(facts);
        return { id, sessionId, ...conversation, attempt };
      });
    },
    postpone: (attempt, dueInMs) => queue.release(holdOf(attempt), dueInMs),
    finish: (attempt) => queue.finish(holdOf(attempt)),
  };
}

function idOf({ id }: Pick<ConversationToArchive, "id">): string {
  return `${id}:${archiveLane}`;
}

function holdOf({ id, attempt }: TakenConversation): Hold {
  return { id: idOf({ id }), holder: String(attempt) };
}
