/**
 * The requests of call control to the communication service, in vendor-neutral terms. Every request that must not be carried out twice says
 * which request it repeats; the service recognises it by that, even from another process. Rejects with `VoiceError`: `pstn_number_invalid`,
 * `call_not_found` (the call is over), `conflict` (the call is not in the state that the request needs), or an upstream code with its
 * `retryable` flag; in any case within the time that a request may take.
 */

/** How the service recognises that a request is repeated. */
export interface Repetition {
  /** The same on every host for the same request. */
  readonly id: string;
  /** When the request was first sent, by any host: the service may compare this as well. */
  readonly firstSentAtMs: number;
}

/** The addresses to which the service sends the events of the call and streams its audio, where it is told them with each call. */
export interface CallAddresses {
  readonly callbackUrl: string;
  readonly mediaUrl: string;
}

/** Which part of the call is streamed to us. */
export type CallStreamKind =
  | { readonly kind: "audio"; readonly sampleRateHz: 16_000 | 24_000 }
  /** The service recognises speech itself, with this resource, and sends text instead of audio. */
  | { readonly kind: "transcript"; readonly language: string; readonly cognitiveUrl: string };

export interface NewCallOptions extends CallAddresses {
  readonly repetition: Repetition;
  /** Returned with every event of the call, so that an early event of ours can be told from a foreign one. */
  readonly callId: string;
  /** If absent, nothing of the call is streamed, because audio is only played into it. */
  readonly stream?: CallStreamKind | undefined;
}

export interface PlaceCall extends NewCallOptions {
  readonly targetNumber: string;
  readonly callerNumber: string;
}

export interface AnswerCall extends NewCallOptions {
  readonly incomingCallContext: string;
}

/** A call that is ringing and that we do not answer. */
export interface PassOnCall {
  readonly repetition: Repetition;
  readonly incomingCallContext: string;
}

export interface RedirectCall extends PassOnCall {
  /** A phone number, a SIP address or one of the service's own raw ids. */
  readonly target: string;
  /** Shown to the person who is called, if they have a telephone. */
  readonly callerNumber: string | undefined;
}

export interface PlayInCall {
  readonly callConnectionId: string;
  /** A WAV file (16 kHz, mono, PCM16) that the service fetches. */
  readonly audioUrl: string;
  /** Who hears it; if absent, everybody in the call. */
  readonly to?: string | undefined;
  /** Returned with `PlayCompleted` and `PlayFailed`. */
  readonly operationContext: string;
}

/** Invites another person into a running call. */
export interface AddParticipant {
  readonly repetition: Repetition;
  readonly callConnectionId: string;
  /** A phone number, a SIP address or one of the service's own raw ids. */
  readonly target: string;
  /** Shown to the person who is called, if they have a telephone. */
  readonly callerNumber: string | undefined;
  /** How long the phone may ring. */
  readonly timeoutMs: number;
  /** Returned with `AddParticipantSucceeded` and `AddParticipantFailed`. */
  readonly operationContext: string;
  /** Passed by name to the person who answers the call; each value has at most one line. */
  readonly context: Readonly<Record<string, string>>;
}

export interface AddedParticipant {
  /** Identifies the invitation for cancelling it; the same for a repeated request. Absent if the service returns none. */
  readonly invitationId: string | undefined;
}

/** Cancels an invitation that nobody has answered. */
export interface CancelInvitation {
  readonly repetition: Repetition;
  readonly callConnectionId: string;
  /** The id that `addParticipant` has returned. */
  readonly invitationId: string;
  /** Returned with `CancelAddParticipantSucceeded`, or with `CancelAddParticipantFailed` if the request came too late. */
  readonly operationContext: string;
}

/** Removes one person from the call; the others stay in it. */
export interface RemoveParticipant {
  readonly repetition: Repetition;
  readonly callConnectionId: string;
  /** A phone number or one of the service's own raw ids. */
  readonly target: string;
  /** Returned with `RemoveParticipantSucceeded` and `RemoveParticipantFailed`. */
  readonly operationContext: string;
}

export interface TransferCall {
  readonly repetition: Repetition;
  readonly callConnectionId: string;
  /** A phone number, a SIP address or one of the service's own raw ids. */
  readonly target: string;
  /** Shown to the person who is called, if they have a telephone. */
  readonly callerNumber: string | undefined;
  /** Returned with the events that report the outcome of the transfer. */
  readonly operationContext: string;
  /** Passed by name to the person who answers the call; each value has at most one line. */
  readonly context: Readonly<Record<string, string>>;
}

export interface HoldCall {
  readonly callConnectionId: string;
  /** Who hears music instead of the agent. */
  readonly to: string;
  /** Returned with `HoldFailed`. */
  readonly operationContext: string;
  /** What is played; if absent, the service's own music. */
  readonly audioUrl?: string | undefined;
}

export interface SendDigits {
  readonly repetition: Repetition;
  readonly callConnectionId: string;
  /** `0` to `9`, `*`, `#`, `A` to `D`. */
  readonly digits: string;
  /** The participant whose phone receives them. */
  readonly to: string;
  /** Returned with the event that reports whether they were sent. */
  readonly operationContext: string;
}

export interface HangUpCall {
  readonly repetition: Repetition;
  readonly callConnectionId: string;
}

/** The state of a call according to the service; `gone` if the service no longer knows the call. */
export type CallServiceState = "connecting" | "connected" | "gone";

export interface ListedParticipant {
  /** The participant in the service's own notation, for instance `4:+12025550123`. */
  readonly rawId: string;
  /** The participant hears music instead of the others. */
  readonly isOnHold: boolean;
}

export interface CallAutomation {
  /** For so long after it began to ring, an inbound call can be answered. */
  readonly answerWithinMs: number;
  /** Whether somebody can be called into a running call; if not, the four requests about participants and leaving are refused. */
  readonly canAddParticipants: boolean;
  /** Whether the service opens a stream again by itself that it has reported as failed. */
  readonly reopensStreams: boolean;
  /** Resolves when the service has accepted the call, long before anybody answers it. */
  place(call: PlaceCall): Promise<{ readonly callConnectionId: string }>;
  answer(call: AnswerCall): Promise<{ readonly callConnectionId: string }>;
  /** The caller hears that we are busy. */
  reject(request: PassOnCall): Promise<void>;
  /** The call rings elsewhere, and is no longer handled here. */
  redirect(request: RedirectCall): Promise<void>;
  /** Resolves when the service has accepted it; the outcome is reported by an event. */
  play(request: PlayInCall): Promise<void>;
  /** Resolves when the service has accepted it; an event reports whether the person joined. */
  addParticipant(request: AddParticipant): Promise<AddedParticipant>;
  /** Resolves when the service has accepted it; an event reports whether the phone stopped ringing in time. */
  cancelInvitation(request: CancelInvitation): Promise<void>;
  /** Resolves when the service has accepted it; an event reports whether somebody was removed. */
  removeParticipant(request: RemoveParticipant): Promise<void>;
  /** The other participants stay in the call without us. */
  leave(request: HangUpCall): Promise<void>;
  /** Ends the call for everyone in it. */
  hangUp(request: HangUpCall): Promise<void>;
  /** Resolves when the service has accepted the transfer; the outcome is reported by an event. */
  transfer(request: TransferCall): Promise<void>;
  sendDigits(request: SendDigits): Promise<void>;
  /** Resolves when the service has accepted it; `HoldFailed` may follow. A second hold of the same person has no further effect. */
  hold(request: HoldCall): Promise<void>;
  unhold(request: Pick<HoldCall, "callConnectionId" | "to">): Promise<void>;
  /** The state of the call according to the service. */
  stateOf(callConnectionId: string): Promise<CallServiceState>;
  /** The participants according to the service: the numbers or ids of those who have joined. */
  participantsOf(callConnectionId: string): Promise<readonly ListedParticipant[]>;
  /**
   * Opens the stream again after it was lost. `elsewhere`: the service does something with the call that we have asked for (somebody's phone
   * rings, music plays), and opens the stream again when that is over.
   */
  startStream(callConnectionId: string, kind: CallStreamKind["kind"]): Promise<"opening" | "elsewhere">;
}
