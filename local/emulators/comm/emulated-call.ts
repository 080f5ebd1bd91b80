/** One call: two ends, what the service tells about it, and the audio between the phone and the media stream. */
import { randomUUID } from "node:crypto";
import type { Clock } from "@voice/shared/platform/clock";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Ear, Handset } from "../../phone/handset.ts";
import type { CallbackSender } from "./callback-sender.ts";
import { identifierOf } from "./call-requests.ts";
import type { MediaStreamingRequest, TranscriptionRequest, TransferRequest } from "./call-requests.ts";
import type { CallTokens } from "./call-tokens.ts";
import { playHoldMusic } from "./hold-music.ts";
import { MediaStream, sampleRateOf } from "./media-stream.ts";
import type { CallStream, OnBrokenStream, StreamEvents } from "./service-socket.ts";
import { PhonesTogether } from "./phones-together.ts";
import { aborted, refusals } from "./refusals.ts";
import type { Refusal } from "./refusals.ts";
import { streamUpdate } from "./stream-update.ts";
import type { StreamKind, StreamNews } from "./stream-update.ts";
import { TranscriptionStream } from "./transcription-stream.ts";

type CallState = "connecting" | "connected" | "disconnected";

export interface EmulatedCallOptions {
  readonly direction: "inbound" | "outbound";
  readonly from: string;
  readonly to: string;
  readonly handset: Handset;
  readonly tokens: CallTokens;
  readonly clock: Clock;
  readonly sender: CallbackSender;
  /** How long the network lets a phone ring. */
  readonly ringMs: number;
  readonly onBrokenStream: () => OnBrokenStream;
  /** What the service transcribes with. */
  readonly recogniser: (() => Promise<Recogniser>) | undefined;
}

export interface CallSetup {
  readonly callbackUri: string;
  readonly operationContext: string | undefined;
  readonly media: MediaStreamingRequest | undefined;
  readonly transcription: TranscriptionRequest | undefined;
}

export class EmulatedCall {
  readonly id = randomUUID();
  readonly serverCallId = Buffer.from(randomUUID()).toString("base64url");
  readonly correlationId: string = randomUUID();
  readonly direction: "inbound" | "outbound";
  readonly from: string;
  readonly to: string;
  /** Resolves when the service has left the call. */
  readonly ended: Promise<void>;
  /** Resolves when the phone is free again: it may have been put through to another. */
  readonly isFree: Promise<void>;
  /** The close codes of media streams that the other side ended. */
  readonly mediaInterruptions: number[] = [];
  /** How often its stream was opened. */
  openedStreams = 0;
  readonly #options: EmulatedCallOptions;
  readonly #ringing = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #state: CallState = "connecting";
  #setup: CallSetup | undefined;
  #media: CallStream | undefined;
  #ear: Ear | undefined;
  #together: PhonesTogether | undefined;
  #sampleRateHz = 16_000;
  #participantsSequence = 0;
  #holdsFail = false;
  #hasLostStreams = false;
  /** Ends it; undefined while the call is not on hold. */
  #music: (() => void) | undefined;

  constructor(options: EmulatedCallOptions) {
    this.#options = options;
    this.direction = options.direction;
    this.from = options.from;
    this.to = options.to;
    this.ended = this.#ended.promise;
    this.isFree = this.ended.then(() => this.#together?.ended);
  }

  get state(): CallState {
    return this.#state;
  }

  /** The number at the phone's end. */
  get far(): string {
    return this.direction === "outbound" ? this.to : this.from;
  }

  get properties(): Readonly<Record<string, unknown>> {
    return {
      callConnectionId: this.id,
      serverCallId: this.serverCallId,
      correlationId: this.correlationId,
      targets: [identifierOf(this.to)],
      source: identifierOf(this.from),
      callConnectionState: this.#state,
      callbackUri: this.#setup?.callbackUri,
    };
  }

  /** An outbound call: rings the phone. */
  async ring(setup: CallSetup): Promise<void> {
    this.#setup = setup;
    const { clock, ringMs, handset } = this.#options;
    const cancel = clock.setTimer(ringMs, () => this.#ringing.abort());
    const outcome = await Promise.race([
      handset.ring({ from: this.from, to: this.to }, this.#ringing.signal),
      aborted(this.#ringing.signal),
    ]);
    cancel();
    if (this.#state !== "connecting") return;
    if (outcome === "answered") this.#connect(setup);
    else this.refuse(outcome);
  }

  /** An inbound call: somebody took it. */
  answer(setup: CallSetup): void {
    this.#setup = setup;
    this.#connect(setup);
  }

  /** Nothing comes of it. */
  refuse(refusal: Refusal): void {
    if (this.#state !== "connecting") return;
    this.#state = "disconnected";
    const { code, message } = refusals[refusal];
    this.#tell(this.direction === "outbound" ? "CreateCallFailed" : "AnswerFailed", {
      resultInformation: { code, subCode: 560_000 + code, message },
    });
    this.#ear?.onEnded(message);
    this.#ended.resolve();
  }

  hangUp(by: "phone" | "service"): void {
    this.#together?.end("the phone hung up", "the other one hung up");
    if (this.#state === "disconnected") return;
    this.#leave(by);
    this.#ear?.onEnded(by === "phone" ? "the phone hung up" : "the service hung up");
    this.#ended.resolve();
  }

  /** For the service the call is over. */
  #leave(by: "phone" | "service"): void {
    const wasConnected = this.#state === "connected";
    this.#state = "disconnected";
    this.#ringing.abort();
    this.#music?.();
    this.#media?.end();
    this.#tell("CallDisconnected", {
      resultInformation: wasConnected
        ? { code: 200, subCode: by === "phone" ? 560_000 : 0, message: "The conversation has ended." }
        : { code: 487, subCode: 560_487, message: "Request Terminated" },
    });
  }

  /** The other end rings; when it is taken, this leg is over. */
  async transfer({ target, operationContext, headers }: TransferRequest, handset: Handset): Promise<void> {
    const { clock, ringMs } = this.#options;
    const ringing = new AbortController();
    const cancel = clock.setTimer(ringMs, () => ringing.abort());
    const outcome = await Promise.race([
      handset.ring({ from: this.far, to: target, headers }, ringing.signal),
      aborted(ringing.signal),
    ]);
    cancel();
    if (this.#state !== "connected") return;
    if (outcome === "answered") {
      this.#tell("CallTransferAccepted", {
        operationContext,
        transferTarget: identifierOf(target),
        transferee: identifierOf(this.far),
        resultInformation: { code: 200, subCode: 7015, message: "The call transfer operation completed." },
      });
      this.#putThrough(handset);
      return;
    }
    const { code, message } = refusals[outcome];
    this.#tell("CallTransferFailed", {
      operationContext,
      resultInformation: { code, subCode: 560_000 + code, message },
    });
  }

  /** The service leaves, and the two talk with each other. */
  #putThrough(handset: Handset): void {
    this.#leave("service");
    const { id: callId } = this;
    const [ear, sampleRateHz] = [this.#ear, this.#sampleRateHz];
    ear?.onStopAudio();
    if (ear !== undefined) this.#together = new PhonesTogether({ callId, sampleRateHz, ear, handset });
    this.#ended.resolve();
  }

  sendKeys(keys: string, operationContext: string | undefined): void {
    this.#ear?.onKeys(keys);
    this.#tell("SendDtmfTonesCompleted", { operationContext, resultInformation: { code: 200, subCode: 0 } });
  }

  get isOnHold(): boolean {
    return this.#music !== undefined;
  }

  /** For tests: holds are accepted, and fail. */
  failHolds(): void {
    this.#holdsFail = true;
  }

  /** The phone hears music and is not heard. */
  hold(operationContext: string | undefined): void {
    if (this.isOnHold) return;
    if (this.#holdsFail) {
      const resultInformation = { code: 400, subCode: 8536, message: "The play source could not be played." };
      this.#tell("HoldFailed", { operationContext, resultInformation });
      return;
    }
    this.#ear?.onStopAudio();
    this.#music = playHoldMusic(this.#options.clock, this.#sampleRateHz, (frame) => this.#ear?.onAudio(frame));
    this.#tellParticipants();
  }

  unhold(): void {
    if (!this.isOnHold) return;
    this.#music?.();
    this.#music = undefined;
    this.#ear?.onStopAudio();
    this.#tellParticipants();
  }

  /** The audio or the transcript, whichever the call was set up with. */
  startStream(): void {
    if (this.#hasLostStreams || this.#setup === undefined || this.#state !== "connected") return;
    this.#media?.end();
    this.#media = this.#newStream(this.#setup);
    this.#media?.start();
  }

  #newStream({ media, transcription }: CallSetup): CallStream | undefined {
    const { tokens, clock, recogniser, onBrokenStream: onBroken } = this.#options;
    const common = {
      callConnectionId: this.id,
      correlationId: this.correlationId,
      participant: `4:${this.far}`,
      tokens,
      clock,
      onBroken,
    };
    if (transcription !== undefined && recogniser !== undefined)
      return new TranscriptionStream({
        ...common,
        request: transcription,
        sampleRateHz: this.#sampleRateHz,
        recogniser,
        events: this.#streamEvents("Transcription"),
      });
    if (media === undefined) return undefined;
    return new MediaStream({
      ...common,
      request: media,
      events: {
        ...this.#streamEvents("MediaStreaming"),
        onAudio: (samples) => (this.isOnHold ? undefined : this.#ear?.onAudio(samples)),
        onStopAudio: () => (this.isOnHold ? undefined : this.#ear?.onStopAudio()),
      },
    });
  }

  #streamEvents(kind: StreamKind): StreamEvents {
    return {
      onStarted: (details) => {
        this.openedStreams++;
        this.#tellStream(kind, "Started", details);
      },
      onStopped: () => this.#tellStream(kind, "Stopped", "subscriptionStopped"),
      onInterrupted: (code) => this.mediaInterruptions.push(code),
      onFailed: (details, status) =>
        this.#tellStream(kind, "Failed", details, {
          code: 400,
          subCode: 8581,
          message: `Transport url is not valid or web socket server is not operational (${status}).`,
        }),
    };
  }

  /** For tests: the network loses the media connection. */
  breakMedia(): void {
    this.#media?.break();
  }

  /** For tests: the network loses the media connection, and takes no other for this call. */
  loseStreams(): void {
    this.#hasLostStreams = true;
    this.breakMedia();
  }

  #connect(setup: CallSetup): void {
    this.#state = "connected";
    this.#tell("CallConnected", {});
    this.#tellParticipants();
    if (setup.media !== undefined) this.#sampleRateHz = sampleRateOf(setup.media);
    this.#ear = this.#options.handset.talk({
      callId: this.id,
      sampleRateHz: this.#sampleRateHz,
      speak: (frame) => {
        if (this.#together !== undefined) this.#together.speak(frame);
        else this.#media?.speak(this.isOnHold ? new Int16Array(frame.length) : frame);
      },
      press: (key) => {
        if (this.#together !== undefined) this.#together.press(key);
        else this.#media?.press(key);
      },
      hangUp: () => this.hangUp("phone"),
    });
    if (setup.media?.startMediaStreaming === true || setup.transcription?.startTranscription === true)
      this.startStream();
  }

  #tellParticipants(): void {
    this.#tell("ParticipantsUpdated", {
      participants: [{ identifier: identifierOf(this.far), isMuted: false, isOnHold: this.isOnHold }],
      sequenceNumber: ++this.#participantsSequence,
    });
  }

  #tellStream(
    kind: StreamKind,
    news: StreamNews,
    details: string,
    resultInformation: unknown = { code: 200, subCode: 0 },
  ): void {
    this.#tell(`${kind}${news}`, { ...streamUpdate(kind, news, details), resultInformation });
  }

  #tell(type: string, data: Readonly<Record<string, unknown>>): void {
    if (this.#setup === undefined) return;
    const { callbackUri, operationContext } = this.#setup;
    this.#options.sender.send(callbackUri, this.id, type, {
      eventSource: `calling/callConnections/${this.id}`,
      operationContext,
      resultInformation: { code: 200, subCode: 0, message: "" },
      ...data,
      callConnectionId: this.id,
      serverCallId: this.serverCallId,
      correlationId: this.correlationId,
    });
  }
}
