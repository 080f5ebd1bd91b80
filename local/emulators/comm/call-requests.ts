/** The request bodies of the REST API (2026-03-12). Only the fields that the emulator acts on are read. */
import { z } from "zod";

const identifier = z.looseObject({
  kind: z.string().optional(),
  rawId: z.string().optional(),
  phoneNumber: z.looseObject({ value: z.string() }).optional(),
});

const mediaStreamingOptions = z.looseObject({
  transportUrl: z.url({ protocol: /^wss?$/ }),
  transportType: z.literal("websocket"),
  contentType: z.literal("audio").optional(),
  audioChannelType: z.enum(["mixed", "unmixed"]),
  startMediaStreaming: z.boolean().default(false),
  enableBidirectional: z.boolean().default(false),
  audioFormat: z.enum(["Pcm16KMono", "Pcm24KMono"]).default("Pcm16KMono"),
  enableDtmfTones: z.boolean().default(false),
});

const transcriptionOptions = z.looseObject({
  transportUrl: z.url({ protocol: /^wss?$/ }),
  transportType: z.literal("websocket"),
  locale: z.string().min(1),
  startTranscription: z.boolean().default(false),
  enableIntermediateResults: z.boolean().default(false),
});

/** The service refuses to transcribe without it. */
const callIntelligenceOptions = z.looseObject({ cognitiveServicesEndpoint: z.url({ protocol: /^https?$/ }) });

export const createCallBody = z.looseObject({
  targets: z.array(identifier).min(1),
  sourceCallerIdNumber: z.looseObject({ value: z.string() }).optional(),
  callbackUri: z.url({ protocol: /^https?$/ }),
  operationContext: z.string().optional(),
  mediaStreamingOptions: mediaStreamingOptions.optional(),
  transcriptionOptions: transcriptionOptions.optional(),
  callIntelligenceOptions: callIntelligenceOptions.optional(),
});

export const answerCallBody = z.looseObject({
  incomingCallContext: z.string().min(1),
  callbackUri: z.url({ protocol: /^https?$/ }),
  operationContext: z.string().optional(),
  mediaStreamingOptions: mediaStreamingOptions.optional(),
  transcriptionOptions: transcriptionOptions.optional(),
  callIntelligenceOptions: callIntelligenceOptions.optional(),
});

/**
 * A line break would end the header. What the service makes of half a surrogate pair is not documented, and for any receiver of JSON it is
 * "unpredictable" (RFC 8259, section 8.2), so here it is refused.
 */
const headers = z.record(z.string(), z.string().regex(/^[^\p{Cc}\p{Cs}]*$/u));

export const transferBody = z.looseObject({
  targetParticipant: identifier,
  operationContext: z.string().optional(),
  customCallingContext: z.looseObject({ sipHeaders: headers.optional(), voipHeaders: headers.optional() }).optional(),
});

export const holdBody = z.looseObject({
  targetParticipant: identifier,
  operationContext: z.string().optional(),
  playSourceInfo: z.looseObject({ kind: z.string() }).optional(),
});

export const unholdBody = z.looseObject({ targetParticipant: identifier });

export const sendDtmfBody = z.looseObject({
  tones: z.array(z.string()).min(1),
  targetParticipant: identifier,
  operationContext: z.string().optional(),
});

/** Names a call that is still ringing. */
export const rejectBody = z.looseObject({ incomingCallContext: z.string().min(1) });
export const redirectBody = z.looseObject({ incomingCallContext: z.string().min(1), target: identifier });

export const playBody = z.looseObject({
  playSources: z.array(z.looseObject({ kind: z.literal("file"), file: z.looseObject({ uri: z.url() }) })).min(1),
  playTo: z.array(identifier).optional(),
  operationContext: z.string().optional(),
});

export const addParticipantBody = z.looseObject({
  participantToAdd: identifier,
  invitationTimeoutInSeconds: z.number().positive().optional(),
  operationContext: z.string().optional(),
  customCallingContext: z.looseObject({ sipHeaders: headers.optional(), voipHeaders: headers.optional() }).optional(),
});

export const cancelInvitationBody = z.looseObject({
  invitationId: z.string().min(1),
  operationContext: z.string().optional(),
});

export const removeParticipantBody = z.looseObject({
  participantToRemove: identifier,
  operationContext: z.string().optional(),
});

export interface TransferRequest {
  readonly target: string;
  readonly operationContext: string | undefined;
  /** Context shown to the person who answers the call. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface InvitationRequest extends TransferRequest {
  readonly invitationId: string;
}

export type MediaStreamingRequest = z.infer<typeof mediaStreamingOptions>;
export type TranscriptionRequest = z.infer<typeof transcriptionOptions>;
export type Identifier = z.infer<typeof identifier>;

/** The phone number if the participant has one, otherwise the raw id. */
export function nameOf({ phoneNumber, rawId }: Identifier): string {
  return phoneNumber?.value ?? rawId?.replace(/^4:(?=\+)/, "") ?? "";
}

/**
 * A participant as the service describes it. A caller who hides the number is `4:anonymous`, as the SDK's
 * `createIdentifierFromRawId` has it (`isAnonymous`).
 */
export function identifierOf(name: string): Identifier {
  if (!name.startsWith("+") && name !== "anonymous") return { kind: "unknown", rawId: name };
  return { kind: "phoneNumber", rawId: `4:${name}`, phoneNumber: { value: name } };
}
