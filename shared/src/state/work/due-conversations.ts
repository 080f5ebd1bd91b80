/**
 * Conversations that have ended, and with which something is to be done: to archive them, or to note what came of them. Each has
 * a lane of the queue, so that another host does it if the host that carried the conversation dies. Each end is a piece of work,
 * because a conversation that is resumed is archived again as a whole, also where nobody said anything in between. Deleting the
 * session leaves it in the queue, because somebody may be writing to the archive just now: whoever has it finds that the session
 * is gone, and takes out of the archive what was written.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { beginDue, type Hold, type WorkQueue } from "../ports/work-queue.ts";
import type { SessionRecord } from "../ports/session-store.ts";
import { jsonOf } from "../stored-json.ts";

export interface DueConversation {
  /** The id of the end of the conversation. */
  readonly id: string;
  readonly sessionId: string;
  readonly createdAtMs: number;
  /** Until when it had certainly been stored. */
  readonly storedAtMs: number;
}

export interface TakenConversation extends DueConversation {
  /** 1 for the first. */
  readonly attempt: number;
}

export type DueConversations = ReturnType<typeof createDueConversations>;

/** Not the names of any receiver of webhooks, which are made of their addresses. */
export const archiveLane = "archive";
export const afterCallLane = "after-call";

/** `session` as the write that ends it makes it, with the version that it had before. */
export function dueConversation(session: SessionRecord): DueConversation {
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

export function createDueConversations(queue: WorkQueue, lane = archiveLane) {
  const idOf = ({ id }: Pick<DueConversation, "id">): string => `${id}:${lane}`;
  const holdOf = ({ id, attempt }: TakenConversation): Hold => ({ id: idOf({ id }), holder: String(attempt) });
  return {
    /** As `WorkQueue` has it. */
    put: ({ id, sessionId, createdAtMs, storedAtMs }: DueConversation, dueInMs: number) => {
      const facts = { id, sessionId, conversation: { createdAtMs, storedAtMs } };
      // Hosts of the version before this one read it as a delivery to a receiver.
      const delivery = { ...facts, type: "session.ended", subject: sessionId, receiver: lane };
      return queue.put(idOf({ id }), { facts: JSON.stringify(delivery) }, dueInMs);
    },
    /** It has ended. */
    hasten: (conversation: DueConversation, dueInMs: number) => queue.hasten(idOf(conversation), dueInMs),
    async take(limit: number, leaseMs: number): Promise<readonly TakenConversation[]> {
      const begun = await beginDue(queue, { limit, leaseMs, lane });
      return begun.map(({ facts, attempt }) => {
        const { id, sessionId, conversation } = stored.parse(facts);
        return { id, sessionId, ...conversation, attempt };
      });
    },
    /** It has to be tried again. */
    postpone: (attempt: TakenConversation, dueInMs: number) => queue.release(holdOf(attempt), dueInMs),
    /** It is done, given up, or there is nothing to do. */
    finish: (attempt: TakenConversation) => queue.finish(holdOf(attempt)),
  };
}
