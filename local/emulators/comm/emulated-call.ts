/**
 * One call: its two ends, the events that the service sends about it, and the audio between the phone and the stream.
 */
import { randomUUID } from "node:crypto";
import { pause } from "@voice/shared/platform/pause";
import type { Ear, Handset } from "../../phone/handset.ts";
import { CallNotifier } from "./call-notifier.ts";
import type { CallIds } from "./call-notifier.ts";
import { identifierOf } from "./call-requests.ts";
import type { Identifier, InvitationRequest, TransferRequest } from "./call-requests.ts";
import type { CallSetup, EmulatedCallOptions } from "./call-setup.ts";
import { CallGuest } from "./call-guest.ts";
import { playHoldMusic } from "./hold-music.ts";
import { CallStreams } from "./call-streams.ts";
import { sampleRateOf } from "./media-stream.ts";
import { fetchAudio } from "./play-file.ts";
import { PhonesTogether } from "./phones-together.ts";
import { RingingPhones } from "./ringing-phones.ts";
import type { Refusal } from "./refusals.ts";

type CallState = "connecting" | "connected" | "disconnected";

export class EmulatedCall {
  readonly id = randomUUID();
  readonly serverCallId = Buffer.from(randomUUID()).toString("base64url");
  readonly correlationId: string;
  readonly direction: "inbound" | "outbound";
  readonly from: string;
  readonly to: string;
  /** Resolves when the service has left the call. */
  readonly ended: Promise<void>;
  /**
   * Resolves when the phone is free again. That may be later than `ended`: the phone may have been put through to
   * another.
   */
  readonly isFree: Promise<void>;
  readonly streams: CallStreams;
  readonly #options: EmulatedCallOptions;
  readonly #phones: RingingPhones;
  readonly #ended = Promise.withResolvers<void>();
  #state: CallState = "connecting";
  readonly #notifier: CallNotifier;
  #ear: Ear | undefined;
  #together: PhonesTogether | undefined;
  #guest: CallGuest | undefined;
  /** The caller has hung up while somebody else is still on the call. */
  #isFarGone = false;
  #sampleRateHz = 16_000;
  #holdsFail = false;
  /** Ends the hold; undefined while the call is not on hold. */
  #music: (() => void) | undefined;

  constructor(options: EmulatedCallOptions) {
    this.#options = options;
    this.#phones = new RingingPhones(options);
    this.direction = options.direction;
    this.correlationId = options.correlationId ?? randomUUID();
    this.from = options.from;
    this.to = options.to;
    this.ended = this.#ended.promise;
    this.isFree = this.ended.then(() => this.#together?.ended);
    this.#notifier = new CallNotifier(options.sender, this.#ids);
    this.streams = this.#createStreams(options);
  }

  get state(): CallState {
    return this.#state;
  }

  /** The number at the phone's end. */
  get far(): string {
    return this.direction === "outbound" ? this.to : this.from;
  }

  get #ids(): CallIds {
    return { callConnectionId: this.id, serverCallId: this.serverCallId, correlationId: this.correlationId };
  }

  get properties(): Readonly<Record<string, unknown>> {
    return {
      ...this.#ids,
      targets: [identifierOf(this.to)],
      source: identifierOf(this.from),
      callConnectionState: this.#state,
      callbackUri: this.#notifier.setup?.callbackUri,
    };
  }

  /** Outbound: rings the phone. */
  async ring(setup: CallSetup): Promise<void> {
    this.#notifier.setup = setup;
    const outcome = await this.#phones.ring({ from: this.from, to: this.to }, this.#options.handset);
    if (this.#state !== "connecting") return;
    if (outcome === "answered") this.#connect(setup);
    else this.refuse(outcome);
  }

  /** Inbound: somebody answered. */
  answer(setup: CallSetup): void {
    this.#notifier.setup = setup;
    this.#connect(setup);
  }

  /** The call failed before it was answered. */
  refuse(refusal: Refusal): void {
    if (this.#state !== "connecting") return;
    this.#state = "disconnected";
    // As in a log of communication-services-python-quickstarts#81: before the event that says why, and without a result.
    this.#notifier.notify("CallDisconnected", { resultInformation: undefined });
    const type = this.direction === "outbound" ? "CreateCallFailed" : "AnswerFailed";
    this.#notifier.notifyRefusal(type, refusal, {}, this.direction);
    this.#ended.resolve();
  }

  hangUp(by: "phone" | "service"): void {
    this.#together?.end("the phone hung up", "the other one hung up");
    if (this.#state === "disconnected") return;
    if (by === "phone" && this.#guest !== undefined && !this.#isFarGone) {
      this.#isFarGone = true;
      this.#ear?.onEnded("the phone hung up");
      this.#notifier.notifyParticipants(this.participants);
      return;
    }
    this.#leave(by);
    const why = by === "phone" ? "the phone hung up" : "the service hung up";
    if (!this.#isFarGone) this.#ear?.onEnded(why);
    this.#guest?.ear.onEnded(why);
    this.#ended.resolve();
  }

  /** The service alone leaves. If that leaves one person alone on the call, the call ends. */
  leave(): void {
    const [guest, ear] = [this.#guest, this.#ear];
    if (guest === undefined || ear === undefined || this.#isFarGone) {
      this.hangUp("service");
      return;
    }
    this.#putThrough(ear, guest);
  }

  /** Redirects an incoming call: another phone rings instead. */
  async redirect(target: string, handset: Handset): Promise<void> {
    if (this.#state !== "connecting") return;
    this.#state = "disconnected";
    const outcome = await this.#phones.ring({ from: this.far, to: target }, handset);
    if (outcome === "answered")
      this.#together = new PhonesTogether(this.#pickUp(), this.#newGuest(target, handset).ear);
    this.#ended.resolve();
  }

  /** Rejects an incoming call, and the caller hears that. */
  reject(): void {
    if (this.#state !== "connecting") return;
    this.#state = "disconnected";
    this.#ended.resolve();
  }

  /** Calls another person into the call, which goes on meanwhile. */
  async addParticipant(invitation: InvitationRequest, handset: Handset): Promise<void> {
    const { invitationId, target, operationContext, headers } = invitation;
    const outcome = await this.#phones.invite(invitationId, { from: this.far, to: target, headers }, handset);
    if (outcome === "cancelled" || this.#state !== "connected") return;
    const participant = identifierOf(target);
    if (outcome !== "answered") {
      this.#notifier.notifyRefusal("AddParticipantFailed", outcome, { operationContext, participant });
      return;
    }
    this.#guest = this.#newGuest(target, handset);
    this.#notifier.notify("AddParticipantSucceeded", { operationContext, participant });
    this.#notifier.notifyParticipants(this.participants);
  }

  /** Too late once somebody has answered. */
  cancelInvitation(invitationId: string, operationContext: string | undefined): void {
    const data = { operationContext, invitationId };
    if (this.#phones.cancel(invitationId)) this.#notifier.notify("CancelAddParticipantSucceeded", data);
    else this.#notifier.notifyRefusedStep("CancelAddParticipantFailed", data);
  }

  /** Hangs up on the guest. */
  removeParticipant(name: string, operationContext: string | undefined): void {
    const data = { operationContext, participant: identifierOf(name) };
    if (this.#guest?.name !== name) return this.#notifier.notifyRefusedStep("RemoveParticipantFailed", data);
    this.#notifier.notify("RemoveParticipantSucceeded", data);
    this.#guestLeaves("the service hung up");
  }

  #newGuest(name: string, handset: Handset): CallGuest {
    return new CallGuest({
      callId: this.id,
      name,
      handset,
      sampleRateHz: this.#sampleRateHz,
      onFrame: (frame) => {
        if (this.#together !== undefined) this.#together.secondSpeaks(frame);
        else if (this.#isFarGone) this.streams.speak(frame);
        else if (!this.isOnHold) this.#ear?.onAudio(frame);
      },
      onKey: (key) => this.#together?.secondPresses(key),
      onHungUp: () => this.#guestHungUp(),
    });
  }

  #guestHungUp(): void {
    if (this.#together !== undefined) {
      this.#together.end("the other one hung up", "the phone hung up");
      return;
    }
    this.#guestLeaves("the phone hung up");
  }

  #guestLeaves(why: string): void {
    this.#guest?.ear.onEnded(why);
    this.#guest = undefined;
    if (this.#isFarGone) this.hangUp("phone");
    else this.#notifier.notifyParticipants(this.participants);
  }

  /** Plays a file to everybody on the call, or to the participants named. */
  async play(url: string, to: string | undefined, operationContext: string | undefined): Promise<void> {
    try {
      const samples = await fetchAudio(url, this.#sampleRateHz);
      if (to === undefined || to === this.far) if (!this.isOnHold) this.#ear?.onAudio(samples);
      if (to === undefined || to === this.#guest?.name) this.#guest?.ear.onAudio(samples);
      await pause(this.#options.clock, (samples.length / this.#sampleRateHz) * 1000);
      if (this.#state === "connected") this.#notifier.notify("PlayCompleted", { operationContext });
    } catch {
      this.#notifier.notifyUnplayable("PlayFailed", operationContext);
    }
  }

  /** Ends the service's part in the call. */
  #leave(by: "phone" | "service"): void {
    const wasConnected = this.#state === "connected";
    this.#state = "disconnected";
    this.#phones.stop();
    this.#music?.();
    this.streams.end();
    this.#notifier.notifyEnd(wasConnected ? by : "nobody", this.direction);
  }

  /** The transfer target rings; when it answers, the service leaves the call. */
  async transfer({ target, operationContext, headers }: TransferRequest, handset: Handset): Promise<void> {
    const outcome = await this.#phones.ring({ from: this.far, to: target, headers }, handset);
    if (this.#state !== "connected") return;
    if (outcome === "answered") {
      this.#notifier.notify("CallTransferAccepted", {
        operationContext,
        transferTarget: identifierOf(target),
        transferee: identifierOf(this.far),
        resultInformation: { code: 200, subCode: 7015, message: "The call transfer operation completed." },
      });
      if (this.#ear !== undefined) this.#putThrough(this.#ear, this.#newGuest(target, handset));
      return;
    }
    this.#notifier.notifyRefusal("CallTransferFailed", outcome, { operationContext });
  }

  /** Connects the two phones to each other; the service is no longer on the call. */
  #putThrough(ear: Ear, guest: CallGuest): void {
    this.#leave("service");
    ear.onStopAudio();
    this.#together = new PhonesTogether(ear, guest.ear);
    this.#ended.resolve();
  }

  sendKeys(keys: string, operationContext: string | undefined): void {
    this.#ear?.onKeys(keys);
    this.#notifier.notify("SendDtmfTonesCompleted", { operationContext, resultInformation: { code: 200, subCode: 0 } });
  }

  get isOnHold(): boolean {
    return this.#music !== undefined;
  }

  /** For tests: holds are accepted and then fail. */
  failHolds(): void {
    this.#holdsFail = true;
  }

  /** The person on hold hears music and is not heard. */
  hold(operationContext: string | undefined): void {
    if (this.isOnHold) return;
    if (this.#holdsFail) {
      this.#notifier.notifyUnplayable("HoldFailed", operationContext);
      return;
    }
    this.#ear?.onStopAudio();
    this.#music = playHoldMusic(this.#options.clock, this.#sampleRateHz, (frame) => this.#ear?.onAudio(frame));
    this.#notifier.notifyParticipants(this.participants);
  }

  unhold(): void {
    if (!this.isOnHold) return;
    this.#music?.();
    this.#music = undefined;
    this.#ear?.onStopAudio();
    this.#notifier.notifyParticipants(this.participants);
  }

  /** The stream of audio or of the transcript, depending on how the call was set up. */
  startStream(): void {
    if (this.#notifier.setup !== undefined && this.#state === "connected")
      this.streams.open(this.#notifier.setup, this.#sampleRateHz);
  }

  #createStreams({ tokens, clock, recogniser, onBrokenStream: onBroken }: EmulatedCallOptions): CallStreams {
    const { id: callConnectionId, correlationId } = this;
    return new CallStreams({
      stream: { callConnectionId, correlationId, participant: `4:${this.far}`, tokens, clock, onBroken },
      recogniser,
      onAudio: (samples) => this.#toEverybody((ear) => ear.onAudio(samples)),
      onStopAudio: () => this.#toEverybody((ear) => ear.onStopAudio()),
      tell: (type, data) => this.#notifier.notify(type, data),
    });
  }

  /** Those on hold hear their music instead. */
  #toEverybody(say: (ear: Ear) => void): void {
    if (this.#ear !== undefined && !this.isOnHold) say(this.#ear);
    if (this.#guest !== undefined) say(this.#guest.ear);
  }

  #connect(setup: CallSetup): void {
    this.#state = "connected";
    this.#notifier.notify("CallConnected", {});
    this.#notifier.notifyParticipants(this.participants);
    if (setup.media !== undefined) this.#sampleRateHz = sampleRateOf(setup.media);
    this.#ear = this.#pickUp();
    if (setup.media?.startMediaStreaming === true || setup.transcription?.startTranscription === true)
      this.startStream();
  }

  #pickUp(): Ear {
    return this.#options.handset.talk({
      callId: this.id,
      sampleRateHz: this.#sampleRateHz,
      speak: (frame) => this.#farSpeaks(frame),
      press: (key) => {
        if (this.#together !== undefined) this.#together.firstPresses(key);
        else this.streams.press(key);
      },
      hangUp: () => this.hangUp("phone"),
    });
  }

  #farSpeaks(frame: Int16Array): void {
    if (this.#together !== undefined) {
      this.#together.firstSpeaks(frame);
      return;
    }
    const heard = this.isOnHold ? new Int16Array(frame.length) : frame;
    if (!this.isOnHold) this.#guest?.ear.onAudio(frame);
    this.streams.speak(this.#guest?.mixInto(heard) ?? heard);
  }

  get participants(): readonly { readonly identifier: Identifier; isMuted: boolean; isOnHold: boolean }[] {
    const caller = { identifier: identifierOf(this.far), isMuted: false, isOnHold: this.isOnHold };
    const guest = this.#guest && { identifier: identifierOf(this.#guest.name), isMuted: false, isOnHold: false };
    return [...(this.#isFarGone ? [] : [caller]), ...(guest === undefined ? [] : [guest])];
  }
}
