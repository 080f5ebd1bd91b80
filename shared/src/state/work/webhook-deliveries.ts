/** Deliveries to other people's servers that are still to be made: a lane of the queue for each receiver. */
import { z } from "zod";
import { webhookTypes, type WebhookType } from "../../contracts/webhooks/webhook-event.ts";
import { beginDue, type Hold, type InGroup, type WorkQueue } from "../ports/work-queue.ts";
import { jsonOf } from "../stored-json.ts";
import { archiveLane } from "./due-conversations.ts";

export interface WebhookFact {
  /** The event's id: the same for everybody who notices that it happened. */
  readonly id: string;
  readonly type: WebhookType;
  /** The id of the call, or of the session. */
  readonly subject: string;
  /** Deleting this session takes the delivery back. */
  readonly sessionId: string;
  /** The owner of the conversation (`ownerMark`); absent in deliveries of older versions. */
  readonly ownerMark?: string | undefined;
  /** For a handover: the operation on the call. */
  readonly operation?: string | undefined;
}

export interface WebhookDelivery extends WebhookFact {
  /** Names the receiver without its address, which may contain a key. */
  readonly receiver: string;
  /** Absent while it is not known whether the event happens: whoever takes the delivery finds out. */
  readonly body?: string | undefined;
}

export interface TakenDelivery extends WebhookDelivery {
  /** 1 for the first. */
  readonly attempt: number;
}

export type WebhookDeliveries = ReturnType<typeof createWebhookDeliveries>;

const stored = jsonOf(
  z
    .object({
      id: z.string(),
      type: z.enum(webhookTypes),
      newerType: z.enum(webhookTypes).optional(),
      subject: z.string(),
      sessionId: z.string(),
      ownerMark: z.string().optional(),
      operation: z.string().optional(),
      receiver: z.string(),
    })
    .transform(({ newerType, ...facts }) => ({ ...facts, type: newerType ?? facts.type })),
);

/** Hosts of the version before this one do not know the type, and read nothing beside it. They send the body as it is. */
function asOlderHostsRead(facts: Omit<WebhookDelivery, "body">): object {
  return facts.type === "session.noted" ? { ...facts, type: "session.ended", newerType: facts.type } : facts;
}

export function createWebhookDeliveries(queue: WorkQueue) {
  return {
    /** As `WorkQueue` has it. */
    put: ({ body, ...facts }: WebhookDelivery, dueInMs: number) =>
      queue.put(idOf(facts), { facts: JSON.stringify(asOlderHostsRead(facts)), body, group: facts.sessionId }, dueInMs),
    /** It has happened, and its body is written when it is sent. */
    hasten: (delivery: Pick<WebhookDelivery, "id" | "receiver">, dueInMs: number) =>
      queue.hasten(idOf(delivery), dueInMs),
    /** Those to receivers that this process does not know stay for a process that does. */
    async take(receiver: string, limit: number, leaseMs: number): Promise<readonly TakenDelivery[]> {
      const begun = await beginDue(queue, { limit, leaseMs, lane: receiver });
      return begun.map(({ facts, body, attempt }) => ({ ...stored.parse(facts), body, attempt }));
    },
    keepBody: (delivery: TakenDelivery, body: string) => queue.keepBody(holdOf(delivery), body),
    /** It has to be tried again. */
    postpone: (delivery: TakenDelivery, dueInMs: number) => queue.release(holdOf(delivery), dueInMs),
    /** It was delivered, given up, or there is nothing to deliver. */
    finish: (delivery: TakenDelivery) => queue.finish(holdOf(delivery)),
    /**
     * Takes back what receivers have not been told about a session; with an owner's mark, not what is known to be somebody
     * else's, who has used the session's id before or since.
     */
    forgetSession: (sessionId: string, mark?: string) =>
      queue.withdraw(sessionId, (facts) => {
        if (facts === undefined) return true;
        const { ownerMark, receiver } = stored.parse(facts);
        // Those of the archive are in the group of their session only if a host of the version before this one put them there.
        if (receiver === archiveLane) return false;
        return mark === undefined || ownerMark === undefined || ownerMark === mark;
      }),
  };
}

function idOf({ id, receiver }: Pick<WebhookDelivery, "id" | "receiver">): string {
  return `${id}:${receiver}`;
}

function holdOf(delivery: TakenDelivery): Hold & InGroup {
  return { id: idOf(delivery), holder: String(delivery.attempt), group: delivery.sessionId };
}
