/** A conversation on one of Twilio's media streams: mu-law at 8 kHz in both directions, marks for what was heard, `clear` to stop it. */
import type { Clock } from "@voice/shared/platform/clock";
import { createWireAudio } from "@voice/provider-kit/audio/wire-audio";
import type { WireAudio } from "@voice/provider-kit/audio/wire-audio";
import type { CloseReason } from "../close-reasons.ts";
import { GuardedSocket } from "../guarded-socket.ts";
import { messageText } from "../message-text.ts";
import type { Socket } from "../socket.ts";
import type { SessionNotice, Transport, TransportEvents } from "../transport.ts";
import { PlayedMarks } from "./played-marks.ts";
import { clearMessage, markMessage, mediaMessage, parseStreamMessage } from "./stream-messages.ts";
import type { StreamMessage, StreamStart } from "./stream-messages.ts";

export const twilioRateHz = 8000;
/** Covers our timer and the network; Twilio's own buffering is measured by its marks. */
const twilioLeadMs = 100;
/** Twilio sends both messages of the opening as soon as the socket is open. */
const openingMs = 10_000;
/** Audio that comes before there is a conversation: some seconds of it, in messages of 20 ms. */
const mostEarly = 500;

/** The socket before there is a conversation. */
export class TwilioStream {
  /** Undefined if the socket closes, or nothing usable comes in time. */
  readonly opening: Promise<StreamStart | undefined>;
  readonly #opening = Promise.withResolvers<StreamStart | undefined>();
  readonly #socket: GuardedSocket;
  readonly #onFrame: () => void;
  #early: StreamMessage[] = [];
  #closed: string | undefined;
  #receive: ((message: StreamMessage) => void) | undefined;
  #onClosed: ((reason: string) => void) | undefined;

  /** `onFrame`: called for every piece of audio. */
  constructor(socket: Socket, clock: Clock, onFrame: () => void = () => undefined) {
    this.opening = this.#opening.promise;
    this.#onFrame = onFrame;
    this.#socket = new GuardedSocket(socket, clock, {
      onMessage: (data, isBinary) => (isBinary ? undefined : this.#take(parseStreamMessage(messageText(data)))),
      onTooFrequent: () => undefined,
      onClosed: (reason) => this.#end(reason),
    });
    const cancel = clock.setTimer(openingMs, () => this.close("handshakeTimeout"));
    void this.opening.then(cancel);
    this.#socket.start();
  }

  get socket(): GuardedSocket {
    return this.#socket;
  }

  /** Delivers what came meanwhile, in order, and everything that comes from now on. */
  listen(receive: (message: StreamMessage) => void, onClosed: (reason: string) => void): void {
    this.#receive = receive;
    this.#onClosed = onClosed;
    for (const message of this.#early.splice(0)) receive(message);
    if (this.#closed !== undefined) onClosed(this.#closed);
  }

  /** Idempotent. */
  close(reason: CloseReason): void {
    this.#socket.close(reason);
    this.#opening.resolve(undefined);
  }

  #take(message: StreamMessage): void {
    if (message.kind === "start") this.#opening.resolve(message.start);
    else if (message.kind === "media") this.#onFrame();
    if (this.#receive !== undefined) this.#receive(message);
    else if (this.#early.push(message) > mostEarly) this.#early.shift();
  }

  #end(reason: string): void {
    this.#closed = reason;
    this.#opening.resolve(undefined);
    this.#onClosed?.(reason);
  }
}

export interface TwilioTransportOptions {
  readonly stream: TwilioStream;
  readonly start: StreamStart;
  readonly clock: Clock;
  readonly sampleRateHz: number;
  /** How long Twilio delays our audio, until its first mark tells. */
  readonly bufferMs: number;
}

export class TwilioTransport implements Transport {
  readonly channel = "phone";
  readonly wireRateHz = twilioRateHz;
  readonly leadMs = twilioLeadMs;
  readonly sampleRateHz: number;
  readonly #options: TwilioTransportOptions;
  readonly #wire: WireAudio;
  readonly #marks: PlayedMarks;

  constructor(options: TwilioTransportOptions) {
    const { clock, sampleRateHz, bufferMs } = options;
    this.#options = options;
    this.sampleRateHz = sampleRateHz;
    this.#wire = createWireAudio({ sampleRateHz: twilioRateHz, channels: 1, audioFormat: "mulaw" }, sampleRateHz);
    this.#marks = new PlayedMarks(() => clock.now(), bufferMs);
  }

  get bufferMs(): number {
    return this.#marks.delayMs;
  }

  setSession(): void {
    // Twilio's messages name no session.
  }

  start(events: TransportEvents): void {
    this.#options.stream.listen((message) => this.#receive(message, events), events.onClosed);
  }

  sendAudio(frame: Int16Array): void {
    const bytes = this.#wire.encode(frame);
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    this.#send(mediaMessage(this.#streamSid, base64));
    this.#sendMark(this.#marks.sent((bytes.byteLength * 1000) / twilioRateHz));
  }

  endAudio(): void {
    this.#sendMark(this.#marks.ended());
  }

  stopAudio(): void {
    this.#marks.cleared();
    this.#send(clearMessage(this.#streamSid));
  }

  notify(_notice: SessionNotice): void {
    // A telephone shows nothing.
  }

  probe(onAnswered: () => void): void {
    this.#options.stream.socket.probe(onAnswered);
  }

  close(reason: CloseReason): void {
    this.#options.stream.close(reason);
  }

  get #streamSid(): string {
    return this.#options.start.streamSid;
  }

  #receive(message: StreamMessage, to: TransportEvents): void {
    switch (message.kind) {
      case "media": {
        const samples = this.#wire.decodeBase64(message.payload);
        if (samples !== undefined) to.onAudio(samples);
        return;
      }
      case "dtmf":
        to.onDigits(message.digit);
        return;
      case "mark":
        this.#marks.played(message.name);
        return;
      case "start":
      case "stop": // the socket closes after it
      case "other":
      case "invalid":
    }
  }

  #send(text: string): void {
    this.#options.stream.socket.send(text);
  }

  #sendMark(name: string | undefined): void {
    if (name !== undefined) this.#send(markMessage(this.#streamSid, name));
  }
}
