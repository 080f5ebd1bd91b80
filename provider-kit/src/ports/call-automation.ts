/**
 * What call control asks of the communication service, in our words. Every request that must not happen twice says of what
 * it is a repetition: the service recognises it by that, also from another process. Rejects with `VoiceError`:
 * `pstn_number_invalid`, `call_not_found` (the call is over), `conflict` (the call is not where the request needs it), or
 * an upstream code with its `retryable` flag; in any case within the time that a request may take.
 */

/** What the service knows a request by when it comes again. */
export interface Repetition {
  /** The same on every host for the same request. */
  readonly id: string;
  /** When the request was first sent, by any host: the service may also compare this. */
  readonly firstSentAtMs: number;
}

/** Where the service sends what happens in the call, and where it streams the call's audio. */
export interface CallAddresses {
  readonly callbackUrl: string;
  readonly mediaUrl: string;
}

/** Which part of the call is streamed to us. */
export type CallStreamKind =
  | { readonly kind: "audio"; readonly sampleRateHz: 16_000 | 24_000 }
  /** The service recognises by itself, with this resource, and sends words instead of audio. */
  | { readonly kind: "transcript"; readonly language: string; readonly cognitiveUrl: string };

export interface NewCallOptions extends CallAddresses {
  readonly repetition: Repetition;
  /** Comes back with every event of the call, so that an early one can be told from a stranger's. */
  readonly callId: string;
  /** Absent: nothing of the call is streamed, because it is only spoken to. */
  readonly stream?: CallStreamKind | undefined;
}

export interface PlaceCall extends NewCallOptions {
  readonly targetNumber: string;
  readonly callerNumber: string;
}

export interface AnswerCall extends NewCallOptions {
  readonly incomingCallContext: string;
}

/** A call that rings, and is not answered by us. */
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
  /** Who hears it; everybody in the call where absent. */
  readonly to?: string | undefined;
  /** Comes back with `PlayCompleted` and `PlayFailed`. */
  readonly operationContext: string;
}

/** Calls somebody into a call that goes on. */
export interface AddParticipant {
  readonly repetition: Repetition;
  readonly callConnectionId: string;
  /** A phone number, a SIP address or one of the service's own raw ids. */
  readonly target: string;
  /** Shown to the person who is called, if they have a telephone. */
  readonly callerNumber: string | undefined;
  /** How long the phone may ring. */
  readonly timeoutMs: number;
  /** Comes back with `AddParticipantSucceeded` and `AddParticipantFailed`. */
  readonly operationContext: string;
  /** Told to the person who takes the call, by name; each at most one line. */
  readonly context: Readonly<Record<string, string>>;
}

export interface AddedParticipant {
  /** What the invitation can be cancelled by; the same for a repeated request. Absent where the service gives none. */
  readonly invitationId: string | undefined;
}

/** Takes back an invitation that nobody has answered. */
export interface CancelInvitation {
  readonly repetition: Repetition;
  readonly callConnectionId: string;
  /** As `addParticipant` has given it. */
  readonly invitationId: string;
  /** Comes back with `CancelAddParticipantSucceeded`, or with `CancelAddParticipantFailed` where it came too late. */
  readonly operationContext: string;
}

/** Hangs up on one person, and the call goes on without them. */
export interface RemoveParticipant {
  readonly repetition: Repetition;
  readonly callConnectionId: string;
  /** A phone number or one of the service's own raw ids. */
  readonly target: string;
  /** Comes back with `RemoveParticipantSucceeded` and `RemoveParticipantFailed`. */
  readonly operationContext: string;
}

export interface TransferCall {
  readonly repetition: Repetition;
  readonly callConnectionId: string;
  /** A phone number, a SIP address or one of the service's own raw ids. */
  readonly target: string;
  /** Shown to the person who is called, if they have a telephone. */
  readonly callerNumber: string | undefined;
  /** Comes back with the events that tell how the transfer went. */
  readonly operationContext: string;
  /** Told to the person who takes the call, by name; each at most one line. */
  readonly context: Readonly<Record<string, string>>;
}

export interface HoldCall {
  readonly callConnectionId: string;
  /** Who hears music instead of us. */
  readonly to: string;
  /** Comes back with `HoldFailed`. */
  readonly operationContext: string;
  /** What is played; the service's own music where absent. */
  readonly audioUrl?: string | undefined;
}

export interface SendDigits {
  readonly repetition: Repetition;
  readonly callConnectionId: string;
  /** `0` to `9`, `*`, `#`, `A` to `D`. */
  readonly digits: string;
  /** Whose phone hears them. */
  readonly to: string;
  /** Comes back with the event that tells whether they were sent. */
  readonly operationContext: string;
}

export interface HangUpCall {
  readonly repetition: Repetition;
  readonly callConnectionId: string;
}

/** What the service says about a call; `gone` where it knows it no more. */
export type CallServiceState = "connecting" | "connected" | "gone";

export interface ListedParticipant {
  /** As the service writes it, for instance `4:+12025550123`. */
  readonly rawId: string;
  /** They hear music instead of the others. */
  readonly isOnHold: boolean;
}

export interface CallAutomation {
  /** Resolves when the service has accepted the call, long before anybody answers it. */
  place(call: PlaceCall): Promise<{ readonly callConnectionId: string }>;
  answer(call: AnswerCall): Promise<{ readonly callConnectionId: string }>;
  /** The caller hears that we are busy. */
  reject(request: PassOnCall): Promise<void>;
  /** The call rings elsewhere, and is none of ours any more. */
  redirect(request: RedirectCall): Promise<void>;
  /** Resolves when the service has accepted it; how it went comes as an event. */
  play(request: PlayInCall): Promise<void>;
  /** Resolves when the service has accepted it; whether they came comes as an event. */
  addParticipant(request: AddParticipant): Promise<AddedParticipant>;
  /** Resolves when the service has accepted it; whether the phone stopped ringing in time comes as an event. */
  cancelInvitation(request: CancelInvitation): Promise<void>;
  /** Resolves when the service has accepted it; whether somebody was removed comes as an event. */
  removeParticipant(request: RemoveParticipant): Promise<void>;
  /** The others in the call go on without us. */
  leave(request: HangUpCall): Promise<void>;
  /** Ends the call for everyone in it. */
  hangUp(request: HangUpCall): Promise<void>;
  /** Resolves when the service has accepted the transfer; how it went comes as an event. */
  transfer(request: TransferCall): Promise<void>;
  sendDigits(request: SendDigits): Promise<void>;
  /** Resolves when the service has accepted it; `HoldFailed` may follow. Holding somebody twice is holding them once. */
  hold(request: HoldCall): Promise<void>;
  unhold(request: Pick<HoldCall, "callConnectionId" | "to">): Promise<void>;
  /** Where the call stands, by the service's own account. */
  stateOf(callConnectionId: string): Promise<CallServiceState>;
  /** Who is in the call, by the service's own account: the numbers or ids of those who have joined. */
  participantsOf(callConnectionId: string): Promise<readonly ListedParticipant[]>;
  /** Opens the stream again after it broke. */
  startStream(callConnectionId: string, kind: CallStreamKind["kind"]): Promise<void>;
}
