/**
 * The entries of a call's log, and what GET /calls/ shows of them. The log is for people only: the service's own
 * decisions are based on the call's record and on the outcomes of operations.
 */
import { z } from "zod";

function entryOf<T extends string, D extends z.ZodRawShape>(type: T, details: D) {
  return z.object({ type: z.literal(type), details: z.object(details) });
}

/** The outcome of an agent's request about the call: `done`, or why it failed. */
const effectDetails = { outcome: z.string(), reason: z.string().optional() };

/** The evidence that no person has answered, and what the call was to do with a mailbox. */
const answerDetails = { evidence: z.string(), answer: z.string() };

/** Entries that the service writes by itself. */
const ownEntries = [
  entryOf("call.failed", { failure: z.string(), reason: z.string() }),
  /** Its end was not reported, and is concluded from this. */
  entryOf("call.presumed-over", { evidence: z.string() }),
  /** All places were taken; with what was done about the call. */
  entryOf("call.turned-away", { answer: z.string(), reason: z.string() }),
  entryOf("announcement.played", { words: z.string(), outcome: z.string() }),
  entryOf("transfer.requested", {}),
  entryOf("transfer.failed", { reason: z.string() }),
  entryOf("hold.requested", { seconds: z.number() }),
  entryOf("keys.requested", {}),
  entryOf("voicemail.detected", answerDetails),
  entryOf("menu.detected", answerDetails),
  entryOf("not-in-service.detected", answerDetails),
  entryOf("stream.lost", { answer: z.string(), failure: z.string() }),
  entryOf("conversation.ended", { reason: z.string() }),
  entryOf("effect.transfer", effectDetails),
  entryOf("effect.escalate", effectDetails),
  entryOf("effect.hold", effectDetails),
  entryOf("effect.send-dtmf", effectDetails),
  entryOf("effect.hang-up", effectDetails),
] as const;

/** The type of every report of a service begins with the name of the service. */
const callbackPrefixes = ["Microsoft.Communication.", "Twilio."] as const;

/** Has no tones, which may be a PIN, and no numbers. */
const callbackEntry = z.object({
  type: z.templateLiteral([z.enum(callbackPrefixes), z.string()]),
  details: z.object({
    code: z.number().optional(),
    sub_code: z.number().optional(),
    message: z.string().optional(),
    operation_context: z.string().optional(),
    /** For an event that reports a failure of the call or its stream: the reason, as a code and in words. */
    failure: z.string().optional(),
    reason: z.string().optional(),
  }),
});

/** Whether an entry shows that a service has reported something. */
export function isCallbackType(type: string): boolean {
  return callbackPrefixes.some((prefix) => type.startsWith(prefix));
}

/** A service that is not named stands for the first one, whose events may be named without it. */
export function toCallbackType(type: string): z.infer<typeof callbackEntry>["type"] {
  const [first] = callbackPrefixes;
  const prefix = callbackPrefixes.find((one) => type.startsWith(one)) ?? first;
  return `${prefix}${type.slice(type.lastIndexOf(".") + 1)}`;
}

export const callLogMessage = z.union([...ownEntries, callbackEntry]);

/** What happened, and its known details. */
export type CallLogMessage = z.infer<typeof callLogMessage>;
