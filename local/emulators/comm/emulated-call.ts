/** One call: two ends, what the service tells about it, and the audio between the phone and the media stream. */
import { randomUUID } from "node:crypto";
import type { Clock } from "@voice/shared/platform/clock";
import type { Recogniser } from "@voice/streaming-host/providers/ports/recogniser";
import type { Ear, Handset } from "../../phone/handset.ts";
import type { CallbackSender } from "./callback-sender.ts";
import { identifierOf } from "./call-requests.ts";
import type { MediaStreamingRequest, TranscriptionRequest, TransferRequest } from "./call-requests.ts";
import type { CallTokens } from "./call-tokens.ts";
import { playHoldMusic } from "./hold-music.ts";
import { MediaStream, sampleRateOf } from "./media-stream.ts";
import type { CallStream, StreamEvents } from "./service-socket.ts";
import { TranscriptionStream } from "./transcription-stream.ts";

type CallState = "connecting" | "connected" | "disconnected";

/** SIP's words for how a call ends without having begun, with the number the service adds to them. */
const refusals = {
  busy: { code: 486, message: "Busy Here" },
  "no-answer": { code: 480, message: "Temporarily Unavailable" },
  declined: { code: 603, message: "Decline" },
  unknown: { code: 404, message: "Not Found" },
} as const;

type Refusal = keyof typeof refusals;

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
  readonly ended: Promise<void>;
  /** The close codes of media streams that the other side ended. */
  readonly mediaInterruptions: number[] = [];
  readonly #options: EmulatedCallOptions;
  readonly #ringing = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #state: CallState = "connecting";
  #setup: CallSetup | undefined;
  #media: CallStream | undefined;
  #ear: Ear | undefined;
  #sampleRateHz = 16_000;
  #participantsSequence = 0;
  #holdsFail = false;
  /** Ends it; undefined while the call is not on hold. */
  #music: (() => void) | undefined;

  constructor(options: EmulatedCallOptions) {
    this.#options = options;
    this.direction = options.direction;
    this.from = options.from;
    this.to = options.to;
    this.ended = this.#ended.promise;
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
    if (this.#state === "disconnected") return;
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
    this.#ear?.onEnded(by === "phone" ? "the phone hung up" : "the service hung up");
    this.#ended.resolve();
  }

  /** The other end rings; when it is taken, this leg is over. */
  async transfer({ target, operationContext, headers }: TransferRequest, handset: Handset): Promise<void> {
    const signal = AbortSignal.timeout(this.#options.ringMs);
    const outcome = await Promise.race([
      handset.ring({ from: this.far, to: target, headers }, signal),
      aborted(signal),
    ]);
    if (this.#state !== "connected") return;
    if (outcome === "answered") {
      this.#tell("CallTransferAccepted", {
        operationContext,
        transferTarget: identifierOf(target),
        transferee: identifierOf(this.far),
        resultInformation: { code: 200, subCode: 7015, message: "The call transfer operation completed." },
      });
      this.hangUp("service");
      return;
    }
    const { code, message } = refusals[outcome];
    this.#tell("CallTransferFailed", {
      operationContext,
      resultInformation: { code, subCode: 560_000 + code, message },
    });
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
    if (this.#setup === undefined || this.#state !== "connected") return;
    this.#media?.end();
    this.#media = this.#newStream(this.#setup);
    this.#media?.start();
  }

  #newStream({ media, transcription }: CallSetup): CallStream | undefined {
    const { tokens, clock, recogniser } = this.#options;
    const common = {
      callConnectionId: this.id,
      correlationId: this.correlationId,
      participant: `4:${this.far}`,
      tokens,
      clock,
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

  #streamEvents(kind: "MediaStreaming" | "Transcription"): StreamEvents {
    return {
      onStarted: (details) => this.#tellStream(kind, "Started", details),
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

  #connect(setup: CallSetup): void {
    this.#state = "connected";
    this.#tell("CallConnected", {});
    this.#tellParticipants();
    if (setup.media !== undefined) this.#sampleRateHz = sampleRateOf(setup.media);
    this.#ear = this.#options.handset.talk({
      sampleRateHz: this.#sampleRateHz,
      speak: (frame) => this.#media?.speak(this.isOnHold ? new Int16Array(frame.length) : frame),
      press: (key) => this.#media?.press(key),
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
    kind: "MediaStreaming" | "Transcription",
    what: "Started" | "Failed",
    details: string,
    resultInformation: unknown = { code: 200, subCode: 0 },
  ): void {
    const update =
      kind === "MediaStreaming"
        ? {
            mediaStreamingUpdate: {
              contentType: "Audio",
              mediaStreamingStatus: `mediaStreaming${what}`,
              mediaStreamingStatusDetails: details,
            },
          }
        : {
            transcriptionUpdate: {
              transcriptionStatus: `transcription${what}`,
              transcriptionStatusDetails: details,
            },
          };
    this.#tell(`${kind}${what}`, { ...update, resultInformation });
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

/** A phone that was not picked up. */
function aborted(signal: AbortSignal): Promise<"no-answer"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("no-answer");
    else signal.addEventListener("abort", () => resolve("no-answer"), { once: true });
  });
}
