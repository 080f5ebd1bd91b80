/**
 * The schema of Azure Communication Services' events, and what they say in our own terms. A field that the vendor adds, drops or changes must not make the
 * rest unusable, so an unexpected value counts as absent.
 */
import { z } from "zod";
import type { CallReport, ReportedResult } from "../../contracts/calls/call-report.ts";
import { partyOfText, readNumber, type Party } from "../party.ts";
import { meaningOf } from "./service-codes.ts";

const whereValid = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const text = whereValid(z.string().min(1));
const number = whereValid(
  z.union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ]),
);
const flag = whereValid(z.boolean());

/** A single word from the service, such as `initialWebSocketConnectionFailed`. */
const detail = whereValid(z.string().regex(/^[A-Za-z]{1,64}$/));

/** Models `CommunicationIdentifierModel` of the SDK: the raw id is usual, and the rest depends on the kind. */
const identifier = z.object({
  kind: text,
  rawId: text,
  phoneNumber: whereValid(z.object({ value: text })),
  communicationUser: whereValid(z.object({ id: text })),
  microsoftTeamsUser: whereValid(z.object({ userId: text })),
  microsoftTeamsApp: whereValid(z.object({ appId: text })),
});

const participant = z.object({ identifier: whereValid(identifier), isOnHold: flag, isMuted: flag });

/** The fields used from a callback (`POST /calls/callbacks`). */
export const azureCallback = z.object({
  callConnectionId: text,
  /** The context given with the operation that the callback is about. Ours are short. */
  operationContext: whereValid(z.string().min(1).max(256)),
  resultInformation: whereValid(z.object({ code: number, subCode: number, message: text })),
  /** Lists of participants arrive in any order. The one with the higher number is newer. */
  sequenceNumber: number,
  mediaStreamingUpdate: whereValid(z.object({ mediaStreamingStatusDetails: detail })),
  transcriptionUpdate: whereValid(z.object({ transcriptionStatusDetails: detail })),
  participants: whereValid(z.array(whereValid(participant))),
  /** Somebody who has joined. */
  participant: whereValid(identifier),
});

type AzureCallback = z.infer<typeof azureCallback>;

/** The fields used from Event Grid's events (`POST /calls/answer`). */
export const inboundDelivery = z.object({
  incomingCallContext: text,
  correlationId: text,
  to: whereValid(identifier),
  from: whereValid(identifier),
  validationCode: text,
});

export type InboundDelivery = z.infer<typeof inboundDelivery>;
type AzureIdentifier = z.infer<typeof identifier>;

export function toCallReport(callback: AzureCallback): CallReport {
  const { operationContext, resultInformation, sequenceNumber, participants, participant } = callback;
  const { mediaStreamingUpdate, transcriptionUpdate } = callback;
  const listed = participants?.flatMap((entry) => (entry === undefined ? [] : [entry]));
  return {
    operationContext,
    result: resultInformation && toReportedResult(resultInformation),
    sequenceNumber,
    streamProblem: mediaStreamingUpdate?.mediaStreamingStatusDetails ?? transcriptionUpdate?.transcriptionStatusDetails,
    participants: listed?.map(({ identifier, isOnHold, isMuted }) => ({
      ...partyOf(identifier),
      isOnTelephone: identifier?.kind === "phoneNumber" || identifier?.phoneNumber !== undefined,
      isOnHold,
      isMuted,
    })),
    participant: participant && { ...partyOf(participant) },
  };
}

export function toReportedResult({ code, subCode, message }: Omit<ReportedResult, "meaning">): ReportedResult {
  return { meaning: meaningOf(code, subCode), code, subCode, message };
}

export function partyOf(identifier: AzureIdentifier | undefined): Party {
  if (identifier === undefined) return {};
  const { rawId, phoneNumber, communicationUser, microsoftTeamsUser, microsoftTeamsApp } = identifier;
  const shown = phoneNumber?.value;
  const number = readNumber(shown ?? "") ?? partyOfText(rawId ?? "").number;
  if (rawId !== undefined) return { number, rawId };
  if (shown !== undefined) return { number, rawId: `4:${number ?? shown}` };
  if (communicationUser?.id !== undefined) return { rawId: communicationUser.id };
  if (microsoftTeamsUser?.userId !== undefined) return { rawId: `8:orgid:${microsoftTeamsUser.userId}` };
  return microsoftTeamsApp?.appId === undefined ? {} : { rawId: `28:orgid:${microsoftTeamsApp.appId}` };
}
