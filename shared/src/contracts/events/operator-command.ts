/**
 * An operator's command for a conversation. It is sent to all hosts, and the one that holds the conversation carries it
 * out.
 */
import { z } from "zod";

const sessionId = z.string().min(1).max(128);

export const operatorCommand = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("say"),
    sessionId,
    text: z.string().min(1).max(1000),
    lineId: z.string().max(64).optional(),
  }),
  /** Without a reason, an operator wants it. Hosts of an older version end it for an operator in any case. */
  z.object({ type: z.literal("end"), sessionId, reason: z.enum(["reset", "deleted"]).optional() }),
  z.object({ type: z.literal("transfer"), sessionId, target: z.string().max(64) }),
  /** Somebody is listening in; repeated while they do. */
  z.object({ type: z.literal("listen"), sessionId }),
  /** Somebody begins to watch, and would learn what the agent is doing only when that changes. */
  z.object({ type: z.literal("watch"), sessionId }),
]);

export type OperatorCommand = z.infer<typeof operatorCommand>;

/** The topic of commands. */
export const operatorTopic = "operators";

/** The topic of a conversation's audio while somebody listens in: server messages of type `audio`. */
export function listenInTopic(id: string): string {
  return `listen-in:${id}`;
}

/** How often a listener renews; the host considers it gone after three times as long without a renewal. */
export const listenInRenewalMs = 4000;
