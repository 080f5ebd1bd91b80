/**
 * What a telephone service reports about a call, in our own terms. Every service's events are translated into this where they come in, and
 * nothing behind that knows whose they were. It travels between processes of two releases, so a field that cannot be read counts as absent.
 */
import { z } from "zod";
import { causes } from "./cause.ts";

const whereValid = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const text = whereValid(z.string().min(1));
const number = whereValid(z.number());
const flag = whereValid(z.boolean());

/** How something ended. Without a cause but with numbers: the service's numbers mean nothing to us. */
const reportedResult = z.object({
  meaning: whereValid(z.object({ cause: z.enum(causes), about: z.string(), isOfFarEnd: flag })),
  /** The service's own numbers, which its support asks for. */
  code: number,
  subCode: number,
  /** In the service's own words. */
  message: text,
});

/** As in `Party`. */
const party = z.object({ number: text, rawId: text });

const participant = party.extend({ isOnTelephone: flag, isOnHold: flag, isMuted: flag });

export const callReport = z.object({
  /** The context given with the operation that the report is about; of the call itself, our id of it. */
  operationContext: whereValid(z.string().min(1).max(256)),
  result: whereValid(reportedResult),
  /** Lists of participants arrive in any order. The one with the higher number is newer. */
  sequenceNumber: number,
  /** Why the stream failed, in a word of the service. */
  streamProblem: text,
  participants: whereValid(z.array(participant)),
  /** Somebody who has joined. */
  participant: whereValid(party),
  /** Who answered, where the service listens for machines. */
  answeredBy: whereValid(z.enum(["person", "machine"])),
});

/** A report about a call. Its type is one of ours behind the name of the service, as in `Twilio.CallConnected`. */
export type CallReport = z.infer<typeof callReport>;
export type ReportedResult = z.infer<typeof reportedResult>;
export type ReportedParticipant = z.infer<typeof participant>;
