/**
 * What a call's log tells people: the entries that are written, and what GET /calls/ shows of them. It is for reading
 * only: what the service itself has to decide on stands in the call's record or under the key of an operation.
 */
import { z } from "zod";

function entryOf<T extends string, D extends z.ZodRawShape>(type: T, details: D) {
  return z.object({ type: z.literal(type), details: z.object(details) });
}

/** What became of something that an agent asked of the call: `done`, or why it could not be done. */
const effectDetails = { outcome: z.string(), reason: z.string().optional() };

/** Entries that the service writes by itself. */
const ownEntries = [
  entryOf("call.failed", { failure: z.string(), reason: z.string() }),
  /** All places were taken, and what became of the call. */
  entryOf("call.turned-away", { answer: z.string(), reason: z.string() }),
  entryOf("announcement.played", { words: z.string(), outcome: z.string() }),
  entryOf("transfer.requested", {}),
  entryOf("transfer.failed", { reason: z.string() }),
  entryOf("hold.requested", { seconds: z.number() }),
  entryOf("keys.requested", {}),
  entryOf("voicemail.detected", { evidence: z.string(), answer: z.string() }),
  entryOf("stream.lost", { answer: z.string(), failure: z.string() }),
  entryOf("conversation.ended", { reason: z.string() }),
  entryOf("effect.transfer", effectDetails),
  entryOf("effect.escalate", effectDetails),
  entryOf("effect.hold", effectDetails),
  entryOf("effect.send-dtmf", effectDetails),
  entryOf("effect.hang-up", effectDetails),
] as const;

/** Every callback of the communication service is of a type that begins like this. */
export const callbackTypePrefix = "Microsoft.Communication.";

/** Without tones, which may be a PIN, and without numbers. */
const callbackEntry = z.object({
  type: z.templateLiteral([callbackTypePrefix, z.string()]),
  details: z.object({
    code: z.number().optional(),
    sub_code: z.number().optional(),
    message: z.string().optional(),
    operation_context: z.string().optional(),
    /** Of an event that says that the call, or its stream, has failed: what that means, as a code and in words. */
    failure: z.string().optional(),
    reason: z.string().optional(),
  }),
});

export const callLogMessage = z.union([...ownEntries, callbackEntry]);

/** What happened, and the particulars that are known of it. */
export type CallLogMessage = z.infer<typeof callLogMessage>;
