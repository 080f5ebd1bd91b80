/** Implements the call-automation port with the vendor's SDK. */
import { CallAutomationClient, KnownCallRejectReason } from "@azure/communication-call-automation";
import type { CallConnection, CallMedia, CustomCallingContext } from "@azure/communication-call-automation";
import { getIdentifierRawId } from "@azure/communication-common";
import type { TokenCredential } from "@azure/identity";
import { isLoopback } from "@voice/shared/config/kinds";
import { VoiceError } from "@voice/shared/platform/errors";
import { oneLine } from "@voice/shared/platform/one-line";
import { unlessAborted } from "@voice/shared/platform/unless-aborted";
import type {
  AddedParticipant,
  AddParticipant,
  AnswerCall,
  CallAutomation,
  CallServiceState,
  CallStreamKind,
  CancelInvitation,
  HangUpCall,
  HoldCall,
  ListedParticipant,
  NewCallOptions,
  PassOnCall,
  PlaceCall,
  PlayInCall,
  RedirectCall,
  RemoveParticipant,
  Repetition,
  SendDigits,
  TransferCall,
} from "@voice/provider-kit/ports/call-automation";
import { boundedHttpClient } from "./bounded-http-client.ts";
import { toCallError, toRingingCallError, toStreamError } from "./errors.ts";
import { callerIdOf, toIdentifier, toInvitation, toPhoneNumber } from "./identifiers.ts";
import { toRepeatabilityId } from "./bounded-http-client.ts";
import type { ServiceHealth } from "../../call-service-health.ts";
import { signAt } from "./bounded-http-client.ts";
import { streamOptions } from "./stream-options.ts";
import { toTones } from "./identifiers.ts";

export type CallServiceAccess =
  | { readonly connectionString: string }
  | { readonly endpoint: string; readonly credential: TokenCredential };

export interface AzureCallAutomationOptions {
  readonly access: CallServiceAccess;
  readonly maxAttempts: number;
  /** The longest wait for the response to a request, all its attempts together. */
  readonly requestTimeoutMs: number;
  /** The time with which requests are signed; if absent, that of the machine. */
  readonly wallNow?: (() => number) | undefined;
  /** Notified of each response. */
  readonly health: Pick<ServiceHealth, "worked" | "failed">;
}

/** Options for every request; the SDK ignores them in some. */
interface Limit {
  readonly abortSignal: AbortSignal;
}

/** The context of an incoming call goes stale about half a minute after the first ring. */
const contextMs = 30_000;
/** The caller hears ringing meanwhile; after these attempts the event bus tries again. */
const retryDelayMs = 200;
const longestRetryDelayMs = 2000;

export class AzureCallAutomation implements CallAutomation {
  readonly answerWithinMs = contextMs;
  readonly canAddParticipants = true;
  /** The service's documents do not say that it reopens them. */
  readonly reopensStreams = false;
  readonly #client: CallAutomationClient;
  readonly #requestTimeoutMs: number;
  readonly #health: AzureCallAutomationOptions["health"];

  constructor({ access, maxAttempts, requestTimeoutMs, wallNow, health }: AzureCallAutomationOptions) {
    this.#client = createClient(access, { maxAttempts, requestTimeoutMs, wallNow });
    this.#requestTimeoutMs = requestTimeoutMs;
    this.#health = health;
  }

  place({ targetNumber, callerNumber, ...call }: PlaceCall): Promise<{ readonly callConnectionId: string }> {
    const invite = { targetParticipant: toPhoneNumber(targetNumber), sourceCallIdNumber: toPhoneNumber(callerNumber) };
    return this.#run("placing a call", async (limit) => {
      const options = { ...newCallOptions(call), ...limit };
      return requireConnectionId(
        (await this.#client.createCall(invite, call.callbackUrl, options)).callConnectionProperties,
      );
    });
  }

  answer({ incomingCallContext, ...call }: AnswerCall): Promise<{ readonly callConnectionId: string }> {
    const request = async (limit: Limit) => {
      const options = { ...newCallOptions(call), ...limit };
      const answered = await this.#client.answerCall(incomingCallContext, call.callbackUrl, options);
      return requireConnectionId(answered.callConnectionProperties);
    };
    return this.#run("answering a call", request, toRingingCallError);
  }

  reject({ incomingCallContext, repetition }: PassOnCall): Promise<void> {
    const options = { callRejectReason: KnownCallRejectReason.Busy, ...repeatable(repetition) };
    const request = (limit: Limit) => this.#client.rejectCall(incomingCallContext, { ...options, ...limit });
    return this.#run("rejecting a call", request, toRingingCallError);
  }

  redirect({ incomingCallContext, target, callerNumber, repetition }: RedirectCall): Promise<void> {
    return this.#run("redirecting a call", (limit) =>
      this.#client.redirectCall(incomingCallContext, toInvitation(target, callerNumber), {
        ...repeatable(repetition),
        ...limit,
      }),
    );
  }

  hangUp(request: HangUpCall): Promise<void> {
    return this.#leave("hanging up", request, true);
  }

  leave(request: HangUpCall): Promise<void> {
    return this.#leave("leaving a call", request, false);
  }

  #leave(operation: string, { callConnectionId, repetition }: HangUpCall, isForEveryone: boolean): Promise<void> {
    return this.#run(operation, (limit) =>
      this.#connection(callConnectionId).hangUp(isForEveryone, { ...repeatable(repetition), ...limit }),
    );
  }

  addParticipant(request: AddParticipant): Promise<AddedParticipant> {
    const { callConnectionId, target, callerNumber, repetition, ...call } = request;
    return this.#run("calling somebody into a call", async (limit) => {
      const customCallingContext = toCallingContext(target, call.context);
      const invitation = { ...toInvitation(target, callerNumber), customCallingContext };
      const { invitationId } = await this.#connection(callConnectionId).addParticipant(invitation, {
        invitationTimeoutInSeconds: Math.ceil(call.timeoutMs / 1000),
        operationContext: call.operationContext,
        ...repeatable(repetition),
        ...limit,
      });
      return { invitationId };
    });
  }

  cancelInvitation({ callConnectionId, invitationId, operationContext, repetition }: CancelInvitation): Promise<void> {
    return this.#run("taking back an invitation", async (limit) => {
      const options = { operationContext, ...repeatable(repetition), ...limit };
      await this.#connection(callConnectionId).cancelAddParticipantOperation(invitationId, options);
    });
  }

  removeParticipant({ callConnectionId, target, operationContext, repetition }: RemoveParticipant): Promise<void> {
    return this.#run("removing somebody from a call", async (limit) => {
      const options = { operationContext, ...repeatable(repetition), ...limit };
      await this.#connection(callConnectionId).removeParticipant(toIdentifier(target), options);
    });
  }

  play({ callConnectionId, audioUrl: url, to, operationContext }: PlayInCall): Promise<void> {
    const media = this.#media(callConnectionId);
    const sources = [{ kind: "fileSource" as const, url }];
    return this.#run("playing words", (limit) => {
      const options = { operationContext, ...limit };
      return to === undefined ? media.playToAll(sources, options) : media.play(sources, [toIdentifier(to)], options);
    });
  }

  transfer({
    callConnectionId,
    target,
    callerNumber,
    operationContext,
    context,
    repetition,
  }: TransferCall): Promise<void> {
    return this.#run("transferring a call", async (limit) => {
      const identifier = toIdentifier(target);
      await this.#connection(callConnectionId).transferCallToParticipant(identifier, {
        ...callerIdOf(identifier, callerNumber),
        operationContext,
        customCallingContext: toCallingContext(target, context),
        ...repeatable(repetition),
        ...limit,
      });
    });
  }

  sendDigits({ callConnectionId, digits, to, operationContext, repetition }: SendDigits): Promise<void> {
    return this.#run("sending digits", async (limit) => {
      const options = { operationContext, ...repeatable(repetition), ...limit };
      await this.#media(callConnectionId).sendDtmfTones(toTones(digits), toIdentifier(to), options);
    });
  }

  hold({ callConnectionId, to, operationContext, audioUrl }: HoldCall): Promise<void> {
    return this.#run("holding a call", (limit) =>
      this.#media(callConnectionId).hold(toIdentifier(to), {
        operationContext,
        ...(audioUrl === undefined ? {} : { playSource: { kind: "fileSource", url: audioUrl } }),
        ...limit,
      }),
    );
  }

  unhold({ callConnectionId, to }: Pick<HoldCall, "callConnectionId" | "to">): Promise<void> {
    return this.#run("resuming a call", (limit) => this.#media(callConnectionId).unhold(toIdentifier(to), limit));
  }

  async stateOf(callConnectionId: string): Promise<CallServiceState> {
    try {
      const { callConnectionState } = await this.#run("asking for a call", (limit) =>
        this.#connection(callConnectionId).getCallConnectionProperties(limit),
      );
      return toServiceState(callConnectionState);
    } catch (error) {
      if (error instanceof VoiceError && error.code === "call_not_found") return "gone";
      throw error;
    }
  }

  participantsOf(callConnectionId: string): Promise<readonly ListedParticipant[]> {
    return this.#run("listing participants", async (limit) => {
      const { values = [] } = await this.#connection(callConnectionId).listParticipants(limit);
      return values.flatMap(({ identifier, isOnHold = false }) =>
        identifier === undefined ? [] : [{ rawId: getIdentifierRawId(identifier), isOnHold }],
      );
    });
  }

  startStream(callConnectionId: string, kind: CallStreamKind["kind"]): Promise<"opening"> {
    const media = this.#media(callConnectionId);
    return this.#run("starting the stream", async (limit) => {
      await (kind === "audio" ? media.startMediaStreaming(limit) : media.startTranscription(limit));
      return "opening" as const;
    }).catch((error: unknown) => {
      throw toStreamError(error);
    });
  }

  #connection(callConnectionId: string): CallConnection {
    return this.#client.getCallConnection(callConnectionId);
  }

  #media(callConnectionId: string): CallMedia {
    return this.#connection(callConnectionId).getCallMedia();
  }

  /**
   * Abandons a request that gets no response in time, whatever the SDK does with the signal, because its caller has other calls to handle.
   */
  async #run<T>(
    operation: string,
    request: (limit: Limit) => Promise<T>,
    translate: (error: unknown, operation: string) => VoiceError = toCallError,
  ): Promise<T> {
    const abortSignal = AbortSignal.timeout(this.#requestTimeoutMs);
    try {
      const answer = await unlessAborted(request({ abortSignal }), abortSignal);
      this.#health.worked();
      return answer;
    } catch (cause) {
      const error = abortSignal.aborted
        ? new VoiceError("upstream_timeout", `${operation}: no answer in time`, { cause })
        : translate(cause, operation);
      this.#health.failed(error);
      throw error;
    }
  }
}

/**
 * The service has further states (`KnownCallConnectionState` of the SDK). A call that is being disconnected is checked again later, and an
 * unknown state counts as connected, because nobody ended the call.
 */
function toServiceState(state: string | undefined): CallServiceState {
  if (state === "disconnected") return "gone";
  return state === "connecting" ? "connecting" : "connected";
}

/** The values that the service accepts for a custom SIP header. */
const maxHeaderLength = 63;

/** A model's text may contain line breaks, which would end a header. Half a surrogate pair would make the request unreadable. */
function toHeaderValue(text: string): string {
  const cut = oneLine(text.toWellFormed()).slice(0, maxHeaderLength);
  return cut.replace(/[\uD800-\uDBFF]$/, "").trim();
}

/**
 * Users of the service and of Teams (`8:…`) and Teams apps (`28:…`) receive it as VoIP headers, everybody else as `X-MS-Custom-…` of SIP.
 */
function toCallingContext(target: string, context: Readonly<Record<string, string>>): CustomCallingContext {
  const kind = /^(8|28):/.test(target) ? "voip" : "sipx";
  return Object.entries(context).map(([key, value]) => ({ kind, key, value: toHeaderValue(value) }));
}

function createClient(
  access: CallServiceAccess,
  {
    maxAttempts,
    requestTimeoutMs,
    wallNow = Date.now,
  }: Pick<AzureCallAutomationOptions, "maxAttempts" | "requestTimeoutMs" | "wallNow">,
): CallAutomationClient {
  // Otherwise an abandoned request would hold its connection for ever.
  const httpClient = boundedHttpClient(requestTimeoutMs);
  const retryOptions = {
    maxRetries: maxAttempts - 1,
    retryDelayInMs: retryDelayMs,
    maxRetryDelayInMs: longestRetryDelayMs,
  };
  if (!("connectionString" in access))
    return new CallAutomationClient(access.endpoint, access.credential, { retryOptions, httpClient });
  return new CallAutomationClient(access.connectionString, {
    retryOptions,
    httpClient,
    allowInsecureConnection: isOnThisMachine(access.connectionString),
    additionalPolicies: [{ policy: signAt(wallNow, access.connectionString), position: "perRetry" }],
  });
}

function isOnThisMachine(connectionString: string): boolean {
  const endpoint = URL.parse(/endpoint=([^;]+)/i.exec(connectionString)?.[1] ?? "");
  return endpoint !== null && isLoopback(endpoint.hostname);
}

function newCallOptions({ callId, mediaUrl, stream, repetition }: NewCallOptions) {
  return { operationContext: callId, ...(stream && streamOptions(stream, mediaUrl)), ...repeatable(repetition) };
}

/**
 * Replaces the repetition id and time that the SDK generates for each method call, so that ours survive the process.
 */
function repeatable({ id, firstSentAtMs }: Repetition) {
  return {
    requestOptions: {
      customHeaders: {
        "repeatability-request-id": toRepeatabilityId(id),
        "repeatability-first-sent": new Date(firstSentAtMs).toUTCString(),
      },
    },
  };
}

function requireConnectionId({ callConnectionId }: { readonly callConnectionId?: string }) {
  if (callConnectionId === undefined) throw new TypeError("the service accepted a call without naming it");
  return { callConnectionId };
}
