/** What an operator asks of a conversation; it goes to all hosts, and the one that holds the conversation does it. */
import { z } from "zod";

const sessionId = z.string().min(1).max(128);

export const operatorCommand = z.discriminatedUnion("type", [
  z.object({ type: z.literal("say"), sessionId, text: z.string().min(1).max(1000) }),
  z.object({ type: z.literal("end"), sessionId }),
  z.object({ type: z.literal("transfer"), sessionId, target: z.string().max(64) }),
  /** Somebody listens in; said again while they do. */
  z.object({ type: z.literal("listen"), sessionId }),
]);

export type OperatorCommand = z.infer<typeof operatorCommand>;

/** Where commands go. */
export const operatorTopic = "operators";

/** Where the audio of a conversation goes while somebody listens in; server messages of type `audio`. */
export function listenInTopic(id: string): string {
  return `listen-in:${id}`;
}

/** A listener says so this often, and is gone for the host when it has not for three times as long. */
export const listenInRenewalMs = 4000;
