/**
 * The schema of the communication service's events. A field that the vendor adds, drops or changes must not make the
 * rest unusable, so an unexpected value counts as absent.
 */
import { z } from "zod";

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
export const vendorCallback = z.object({
  callConnectionId: text,
  /** The context given with the operation that the callback is about. Ours are short. */
  operationContext: whereValid(z.string().min(1).max(256)),
  resultInformation: whereValid(z.object({ code: number, subCode: number, message: text })),
  /** Lists of participants come in any order, and their numbers tell which is the newer. */
  sequenceNumber: number,
  mediaStreamingUpdate: whereValid(z.object({ mediaStreamingStatusDetails: detail })),
  transcriptionUpdate: whereValid(z.object({ transcriptionStatusDetails: detail })),
  participants: whereValid(z.array(whereValid(participant))),
  /** Somebody who has joined. */
  participant: whereValid(identifier),
});

export type VendorCallback = z.infer<typeof vendorCallback>;
export type VendorParticipant = z.infer<typeof participant>;

/** The fields used from Event Grid's events (`POST /calls/answer`). */
export const inboundDelivery = z.object({
  incomingCallContext: text,
  correlationId: text,
  to: whereValid(identifier),
  from: whereValid(identifier),
  validationCode: text,
});

export type InboundDelivery = z.infer<typeof inboundDelivery>;
export type VendorIdentifier = z.infer<typeof identifier>;
