/**
 * Implements the call-automation port with Twilio. Twilio has no ids of repeated requests and keeps no list of who is in a call: a call is a
 * telephone at one end and our instructions (TwiML) at the other, and whatever it is to do with the call takes the stream away until that is
 * done. What must not be done twice is therefore looked up first.
 */
import {
  dialInstructions,
  digitInstructions,
  holdInstructions,
  pickUpInstructions,
  playInstructions,
  redirectInstructions,
  rejectInstructions,
  streamInstructions,
  type LineOfCall,
} from "@voice/shared/calls/twilio/instructions";
import { reportUrl } from "@voice/shared/calls/twilio/addresses";
import { partyOfText } from "@voice/shared/calls/party";
import type { Settings } from "@voice/shared/config/settings";
import { BadRequestError, VoiceError } from "@voice/shared/platform/errors";
import { oneLine } from "@voice/shared/platform/one-line";
import type { CallStore } from "@voice/shared/state/ports/call-store";
import type { Errand, TelephoneLines } from "@voice/shared/state/records/telephone-lines";
import type {
  AddedParticipant,
  AnswerCall,
  CallAutomation,
  CallServiceState,
  HangUpCall,
  HoldCall,
  ListedParticipant,
  NewCallOptions,
  PassOnCall,
  PlaceCall,
  PlayInCall,
  RedirectCall,
  Repetition,
  SendDigits,
  TransferCall,
} from "@voice/provider-kit/ports/call-automation";
import type { ServiceHealth } from "../call-service-health.ts";
import type { Fields, TwilioCall, TwilioRestClient } from "./rest-client.ts";

export interface TwilioCallAutomationOptions {
  readonly client: TwilioRestClient;
  /** Finds our call by the id that Twilio has given it. */
  readonly state: { readonly telephoneLines: TelephoneLines; readonly calls: Pick<CallStore, "getByConnection"> };
  readonly settings: Pick<Settings, "baseUrl" | "streamingHostUrl" | "commCallTimeoutMs" | "twilioMachineDetection">;
  readonly wallNow: () => number;
  readonly health: Pick<ServiceHealth, "worked" | "failed">;
}

/**
 * Twilio waits 15 s for our answer to an incoming call (TwiML, "How Twilio interacts with your app"), and answers the call with whatever it
 * gets: only a request that is not answered yet lets it ring.
 */
export const twilioAnswersWithinMs = 12_000;
/** Twilio's own example of hold music (TwiML `<Conference>`, attribute `waitUrl`). */
const defaultHoldAudio = "http://com.twilio.music.classical.s3.amazonaws.com/BusyStrings.mp3";
/** A request is a repeated one if it is this much older than now: the first one is sent as soon as its time is stored. */
const repeatedAfterMs = 1000;
/** How much earlier than our request Twilio's call may seem to be: it gives whole seconds, and its clock is another. */
const clockToleranceMs = 3000;
/** The states in which Twilio has a call that is not over. */
const living: ReadonlySet<string> = new Set(["queued", "initiated", "ringing", "in-progress"]);
/** How long a phone may ring at most (Call resource, `Timeout`). */
const longestRingSeconds = 600;
/** Twilio rings a little longer than we let it, so that it is we who give up. */
const spareSeconds = 10;
/** How long Twilio may be busy with a hold, an announcement or keys: longer than any of them lasts. */
const longestErrandMs = 10 * 60_000;
/** Twilio asks what comes next soon after the ringing time is over. */
const lateMs = 30_000;
/** For so long a call has no stream if nobody knows whether Twilio does what it was asked. */
const unansweredMs = 15_000;

export class TwilioCallAutomation implements CallAutomation {
  readonly answerWithinMs = twilioAnswersWithinMs;
  readonly canAddParticipants = false;
  /** When a stream ends and the call does not, it asks what comes next (TWILIO-10a). */
  readonly reopensStreams = true;
  readonly #options: TwilioCallAutomationOptions;

  constructor(options: TwilioCallAutomationOptions) {
    this.#options = options;
  }

  get #lines(): TelephoneLines {
    return this.#options.state.telephoneLines;
  }

  async place(call: PlaceCall): Promise<{ readonly callConnectionId: string }> {
    const { targetNumber, callerNumber, repetition } = call;
    const { client, settings, wallNow } = this.#options;
    if (wallNow() - repetition.firstSentAtMs >= repeatedAfterMs) {
      const placed = await this.#run(() => this.#findPlaced(call));
      if (placed !== undefined) return { callConnectionId: placed.sid };
    }
    const { baseUrl = "" } = settings;
    const { callId } = call;
    const machineDetection = settings.twilioMachineDetection && {
      MachineDetection: "Enable",
      AsyncAmd: "true",
      AsyncAmdStatusCallback: reportUrl(baseUrl, "machine", { callId }),
      AsyncAmdStatusCallbackMethod: "POST",
    };
    const fields: Fields = {
      To: targetNumber,
      From: callerNumber,
      Twiml: await this.#instructionsOf(call),
      StatusCallback: reportUrl(baseUrl, "call", { callId }),
      StatusCallbackMethod: "POST",
      StatusCallbackEvent: ["initiated", "ringing", "answered", "completed"],
      Timeout: String(Math.min(longestRingSeconds, Math.ceil(settings.commCallTimeoutMs / 1000) + spareSeconds)),
      ...(machineDetection === false ? {} : machineDetection),
    };
    const placed = await this.#run(() => client.create("placing a call", fields));
    return { callConnectionId: placed.sid };
  }

  async answer(call: AnswerCall): Promise<{ readonly callConnectionId: string }> {
    const { incomingCallContext: sid } = call;
    await this.#instruct(sid, await this.#instructionsOf(call));
    return { callConnectionId: sid };
  }

  reject({ incomingCallContext: sid }: PassOnCall): Promise<void> {
    return this.#instruct(sid, rejectInstructions);
  }

  async redirect({ incomingCallContext: sid, target, callerNumber }: RedirectCall): Promise<void> {
    await this.#instruct(sid, redirectInstructions(toDialled(target), callerNumber));
  }

  async hangUp({ callConnectionId: sid }: HangUpCall): Promise<void> {
    await this.#update("hanging up", sid, { Status: "completed" });
  }

  async transfer(request: TransferCall): Promise<void> {
    const { callConnectionId: sid, target, callerNumber, operationContext: operation, context } = request;
    const { settings } = this.#options;
    const timeoutMs = settings.commCallTimeoutMs;
    const dialled = { target: toDialled(target), callerNumber, timeoutMs, operation, context: oneLined(context) };
    const line = await this.#lineOf(sid);
    await this.#send("transferring a call", sid, { kind: "dial", operation }, dialInstructions(line, dialled));
  }

  async play({ callConnectionId: sid, audioUrl, operationContext: operation }: PlayInCall): Promise<void> {
    const instructions = playInstructions(await this.#lineOf(sid), audioUrl, operation);
    await this.#send("playing words", sid, { kind: "play", operation }, instructions);
  }

  async sendDigits({ callConnectionId: sid, digits, operationContext: operation }: SendDigits): Promise<void> {
    if (!/^[0-9*#A-D]+$/i.test(digits)) throw new BadRequestError("validation_error", "a telephone has no such key");
    const instructions = digitInstructions(await this.#lineOf(sid), digits.toUpperCase(), operation);
    await this.#send("sending digits", sid, { kind: "digits", operation }, instructions);
  }

  async hold({ callConnectionId: sid, operationContext: operation, audioUrl = defaultHoldAudio }: HoldCall) {
    await this.#send("holding a call", sid, { kind: "hold", operation }, holdInstructions(audioUrl));
  }

  async unhold({ callConnectionId: sid }: Pick<HoldCall, "callConnectionId" | "to">): Promise<void> {
    await this.#lines.endErrand(sid);
    await this.#stream("resuming a call", sid);
  }

  async startStream(sid: string): Promise<"opening" | "elsewhere"> {
    const lines = this.#lines;
    if ((await lines.errandOf(sid)) !== undefined) return "elsewhere";
    // When a stream breaks, Twilio asks by itself what comes next, and has been told to open another.
    const { callId } = await this.#lineOf(sid);
    if (await lines.isOpening(callId)) return "opening";
    await this.#stream("starting the stream", sid);
    return "opening";
  }

  async stateOf(sid: string): Promise<CallServiceState> {
    try {
      return toServiceState((await this.#fetch("asking for a call", sid)).status);
    } catch (error) {
      if (error instanceof VoiceError && error.code === "call_not_found") return "gone";
      throw error;
    }
  }

  /** A call has one telephone, and Twilio never says who hears music. */
  async participantsOf(sid: string): Promise<readonly ListedParticipant[]> {
    const { status, direction, from, to } = await this.#fetch("listing participants", sid);
    const far = direction === "inbound" ? from : to;
    if (status !== "in-progress" || far == null) return [];
    const { rawId = far } = partyOfText(far);
    return [{ rawId, isOnHold: (await this.#lines.errandOf(sid))?.kind === "hold" }];
  }

  addParticipant(): Promise<AddedParticipant> {
    return notOfTwilio();
  }

  cancelInvitation(): Promise<void> {
    return notOfTwilio();
  }

  removeParticipant(): Promise<void> {
    return notOfTwilio();
  }

  leave(): Promise<void> {
    return notOfTwilio();
  }

  async #instructionsOf({ callId, stream }: NewCallOptions): Promise<string> {
    const line = { callId, settings: this.#options.settings };
    if (stream === undefined) return pickUpInstructions(line);
    return streamInstructions(line, await this.#lines.issueToken(callId));
  }

  /** Twilio waits for what to do with an incoming call. */
  async #instruct(sid: string, instructions: string): Promise<void> {
    const lines = this.#lines;
    if (await lines.instruct(sid, instructions)) return;
    // An earlier request has instructed Twilio, or nobody had when the time was over.
    if ((await lines.instructions(sid, 0)) === rejectInstructions && instructions !== rejectInstructions)
      throw new VoiceError("call_not_found", "Twilio does not wait for an answer any more");
  }

  /**
   * A call of the same numbers that began after the first request, and that is none of those we know. Two calls to one number at the same
   * instant, of both of which the answers were lost, could be mistaken for each other.
   */
  async #findPlaced({ targetNumber, callerNumber, repetition }: PlaceCall): Promise<TwilioCall | undefined> {
    const { client, state } = this.#options;

    // Newest first. A call that has not been answered has no start time by which it could be asked for.
    const query = { To: targetNumber, From: callerNumber, PageSize: "50" };
    const listed = await client.list("looking for a call", query);
    const since = listed.filter(({ date_created: created }) => isSince(created, repetition));
    for (const call of since) if ((await state.calls.getByConnection(call.sid)) === undefined) return call;
    return undefined;
  }

  async #stream(what: string, sid: string): Promise<void> {
    const line = await this.#lineOf(sid);
    const token = await this.#lines.issueToken(line.callId);
    await this.#update(what, sid, { Twiml: streamInstructions(line, token) });
  }

  /** A repeated request for the errand that the call is on changes nothing: it would ring or speak a second time. */
  async #send(what: string, sid: string, errand: Omit<Errand, "isAccepted">, instructions: string): Promise<void> {
    const lines = this.#lines;
    const known = await lines.errandOf(sid);
    if (known?.operation === errand.operation && known.isAccepted) return;
    // First, so that nobody takes the call for one without a stream.
    await lines.beginErrand(sid, { ...errand, isAccepted: false }, unansweredMs);
    try {
      await this.#update(what, sid, { Twiml: instructions });
    } catch (error) {
      if (!(error instanceof VoiceError) || !error.retryable) await lines.endErrand(sid);
      throw error;
    }
    const { commCallTimeoutMs } = this.#options.settings;
    await lines.acceptErrand(
      sid,
      { ...errand, isAccepted: true },
      errand.kind === "dial" ? commCallTimeoutMs + lateMs : longestErrandMs,
    );
  }

  async #update(what: string, sid: string, fields: Fields): Promise<void> {
    const { client } = this.#options;
    try {
      await this.#run(() => client.update(what, sid, fields));
    } catch (error) {
      if (!(error instanceof VoiceError) || error.code !== "conflict") throw error;
      // Twilio says the same of a call that rings and of one that is over.
      if (living.has((await this.#fetch(what, sid)).status)) throw error;
      throw new VoiceError("call_not_found", `${what}: the call is over`, { cause: error });
    }
  }

  #fetch(what: string, sid: string): Promise<TwilioCall> {
    return this.#run(() => this.#options.client.fetch(what, sid));
  }

  async #lineOf(sid: string): Promise<LineOfCall> {
    const { state, settings } = this.#options;
    const call = await state.calls.getByConnection(sid);
    if (call === undefined) throw new VoiceError("call_not_found", "there is no such call");
    return { callId: call.callId, settings };
  }

  async #run<T>(request: () => Promise<T>): Promise<T> {
    const { health } = this.#options;
    try {
      const answer = await request();
      health.worked();
      return answer;
    } catch (error) {
      if (error instanceof VoiceError) health.failed(error);
      throw error;
    }
  }
}

function toServiceState(status: string): CallServiceState {
  if (!living.has(status)) return "gone";
  return status === "in-progress" ? "connected" : "connecting";
}

function isSince(created: string | null | undefined, { firstSentAtMs }: Repetition): boolean {
  const createdMs = Date.parse(created ?? "");
  return createdMs >= firstSentAtMs - clockToleranceMs;
}

/** A number or a SIP address: Twilio knows neither users nor ids of Azure's. */
function toDialled(target: string): string {
  if (/^\+[1-9]\d{1,14}$/.test(target) || /^sips?:[^\s@]+@[^\s@]+$/.test(target)) return target;
  const { number } = partyOfText(target);
  if (number !== undefined) return number;
  throw new BadRequestError("pstn_number_invalid", "not a phone number or a SIP address");
}

function oneLined(context: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(context).map(([name, value]) => [name, oneLine(value)]));
}

function notOfTwilio(): Promise<never> {
  return Promise.reject(
    new VoiceError("upstream_unavailable", "Twilio calls nobody into a call like this", { retryable: false }),
  );
}
