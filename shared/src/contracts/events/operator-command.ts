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
  /** Without a reason, an operator ends it. Hosts of an older version ignore the reason and always end it for an operator. */
  z.object({ type: z.literal("end"), sessionId, reason: z.enum(["reset", "deleted"]).optional() }),
  z.object({ type: z.literal("transfer"), sessionId, target: z.string().max(64) }),
  /** Somebody is listening in; repeated while they do. `subject`: who, which hosts of an older version do not say. */
  z.object({ type: z.literal("listen"), sessionId, subject: z.string().optional() }),
  /** PERSON-4: this operator takes the agent's place, and hands the conversation back with notes for the agent. */
  z.object({ type: z.literal("take_over"), sessionId, subject: z.string() }),
  z.object({ type: z.literal("hand_back"), sessionId, notes: z.string().max(2000).optional() }),
  /** PERSON-6. */
  z.object({ type: z.literal("hold"), sessionId, isOnHold: z.boolean() }),
  z.object({ type: z.literal("keys"), sessionId, digits: z.string().max(32) }),
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

/** The topic on which the host of a conversation is notified that the telephone service has detected an answering machine. */
export function machineReportedTopic(id: string): string {
  return `machine:${id}`;
}

/** The topic of the voice of a person who has taken a conversation over. */
export function personAudioTopic(id: string): string {
  return `person:${id}`;
}

/** PCM16 mono at 16 kHz, in base64, and whose it is. Fifty a second, so this is no JSON. */
export function encodePersonAudio(subject: string, base64: string): string {
  return `${base64} ${subject}`;
}

export function decodePersonAudio(text: string): { readonly subject: string; readonly base64: string } {
  const end = text.indexOf(" ");
  return { base64: text.slice(0, Math.max(0, end)), subject: text.slice(end + 1) };
}

/** How often a listener renews; the host considers it gone after three times as long without a renewal. */
export const listenInRenewalMs = 4000;
