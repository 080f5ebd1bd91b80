/**
 * `/media/stream` (spec 4.9). The communication service gets only its own frames; any other client gets the same audio
 * frames with a `type` added, as well as the typed messages.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { mulawSilence } from "@voice/provider-kit/audio/mulaw";
import { isSampleRate } from "@voice/provider-kit/audio/resample";
import { deliverClientText } from "../deliver-client-message.ts";
import type { ClientMessageTarget } from "../deliver-client-message.ts";
import { encodeMessage } from "../envelope.ts";
import type { CloseReason } from "../close-reasons.ts";
import { messageText } from "../message-text.ts";
import { guardSocket } from "../guarded-socket.ts";
import type { GuardedSocket } from "../guarded-socket.ts";
import type { Socket } from "../socket.ts";
import type { SessionNotice, Transport, TransportEvents } from "../transport.ts";
import { createChunker } from "@voice/provider-kit/audio/chunker";
import type { Chunker } from "@voice/provider-kit/audio/chunker";
import { encodeAudioFrame, parseMediaFrame, stopAudioFrame } from "./media-frame.ts";
import type { MediaFrame } from "./media-frame.ts";
import { createWireAudio } from "@voice/provider-kit/audio/wire-audio";
import type { WireAudio, WireFormat } from "@voice/provider-kit/audio/wire-audio";

/** Covers our timer and the network between two data centres; the service's own buffering comes on top (`bufferMs`). */
const mediaLeadMs = 100;
const frameMs = 20;

export interface MediaTransportOptions {
  readonly socket: Socket;
  readonly clock: Clock;
  /** The communication service, or a client that also wants our typed messages. */
  readonly peer: "service" | "client";
  readonly channel: "phone" | "media";
  readonly sampleRateHz: number;
  /** How long the peer buffers audio before it is heard; none if absent. */
  readonly bufferMs?: number | undefined;
  readonly format: WireFormat;
  /** Called for every incoming frame, whatever it contains. */
  readonly onFrame?: (() => void) | undefined;
  /** False if the client asked for no transcripts (`enable_transcription`). */
  readonly sendsTranscripts?: boolean | undefined;
  /** Bytes of audio in one outgoing frame; 20 ms if absent. */
  readonly chunkBytes?: number | undefined;
}

export function createMediaTransport(options: MediaTransportOptions): Transport {
  return new MediaTransport(options);
}

class MediaTransport implements Transport {
  readonly channel: "phone" | "media";
  readonly sampleRateHz: number;
  readonly leadMs = mediaLeadMs;
  readonly bufferMs: number | undefined;
  readonly #options: MediaTransportOptions;
  readonly #isTyped: boolean;
  readonly #socket: GuardedSocket;
  readonly #chunker: Chunker | undefined;
  readonly #sendBytes = (bytes: Uint8Array): void => this.#send(bytes);
  #wire: WireAudio;
  #sessionId = "";
  #target: ClientMessageTarget | undefined;

  constructor(options: MediaTransportOptions) {
    const { chunkBytes, format } = options;
    this.#options = options;
    this.channel = options.channel;
    this.sampleRateHz = options.sampleRateHz;
    this.bufferMs = options.bufferMs;
    this.#isTyped = options.peer === "client";
    this.#chunker = chunkBytes === undefined ? undefined : createChunker(chunkBytes, silenceOf(format));
    this.#wire = createWireAudio(format, options.sampleRateHz);
    this.#socket = guardSocket(options.socket, options.clock, {
      onMessage: (data, isBinary) => this.#receive(data, isBinary),
      onTooFrequent: () => this.#refuse("rate_limited", "Too many messages a second."),
      onClosed: (reason) => this.#target?.events.onClosed(reason),
    });
  }

  setSession(id: string): void {
    this.#sessionId = id;
  }

  start(events: TransportEvents): void {
    this.#target = {
      events,
      onAudioData: (base64) => this.#receiveBase64(base64, events),
      onConfig: () => undefined,
      refuse: (problem) => this.#refuse("validation_error", problem),
    };
    this.#socket.start();
  }

  sendAudio(frame: Int16Array): void {
    if (this.#chunker === undefined) this.#send(this.#wire.encode(frame));
    else this.#chunker.push(this.#wire.encode(frame), this.#sendBytes);
  }

  endAudio(): void {
    this.#chunker?.flush(this.#sendBytes);
  }

  stopAudio(): void {
    this.#chunker?.reset();
    this.#socket.send(stopAudioFrame);
  }

  notify(notice: SessionNotice): void {
    if (!this.#isTyped) return;
    if (notice.type === "transcript" && this.#options.sendsTranscripts === false) return;
    const type = notice.type === "response" ? "agent_response" : notice.type;
    const sessionId = this.#sessionId;
    const atMs = this.#options.clock.wallNow();
    this.#socket.notify(notice, () => encodeMessage(type, sessionId, atMs, notice.payload));
  }

  close(reason: CloseReason): void {
    this.#socket.close(reason);
  }

  #send(bytes: Uint8Array): void {
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    this.#socket.send(encodeAudioFrame(base64, this.#options.peer));
  }

  #refuse(code: string, message: string): void {
    this.notify({ type: "error", payload: { code, message } });
  }

  #receive(data: Uint8Array, isBinary: boolean): void {
    const target = this.#target;
    if (target === undefined) return;
    if (isBinary) {
      target.events.onAudio(this.#wire.decode(data));
      return;
    }
    const text = messageText(data);
    const frame = parseMediaFrame(text);
    if (frame !== undefined) {
      this.#options.onFrame?.();
      this.#receiveFrame(frame, target.events);
      return;
    }
    if (this.#isTyped) deliverClientText(text, target);
    // The service may add message types that we do not know, which is no reason to end a call.
  }

  #receiveFrame(frame: MediaFrame, to: TransportEvents): void {
    switch (frame.kind) {
      case "audio":
        this.#receiveAudio(frame, to);
        return;
      case "metadata":
        this.#takeMetadata(frame.sampleRateHz, frame.channels);
        return;
      case "dtmf":
        to.onDigits(frame.digits);
        return;
      case "stop-audio":
        to.onCallerFinished();
        return;
      case "transcription":
        to.onTranscript?.(frame);
        return;
      case "other":
    }
  }

  #receiveAudio({ data, silent }: Extract<MediaFrame, { kind: "audio" }>, to: TransportEvents): void {
    // A silent frame may carry no samples, but endpointing still needs its 20 ms.
    if (data === "") to.onAudio(new Int16Array((this.sampleRateHz * frameMs) / 1000));
    else if (silent) to.onAudio(this.#wire.decode(Buffer.from(data, "base64")).fill(0));
    else this.#receiveBase64(data, to);
  }

  #receiveBase64(data: string, to: TransportEvents): void {
    const samples = this.#wire.decodeBase64(data);
    if (samples !== undefined) to.onAudio(samples);
    else if (this.#isTyped) this.#refuse("validation_error", "Audio must be base64.");
    else to.onAudio(this.#wire.decode(Buffer.from(data, "base64"))); // what is left of it
  }

  /** What the peer actually sends takes precedence over the configuration. */
  #takeMetadata(announcedHz: number, channels: number): void {
    if (isSampleRate(announcedHz) && (channels === 1 || channels === 2)) {
      const format = { ...this.#options.format, sampleRateHz: announcedHz, channels };
      this.#wire = createWireAudio(format, this.sampleRateHz);
    } else this.#refuse("audio_format_unsupported", "Audio must come at 8, 16, 24 or 48 kHz with one or two channels.");
  }
}

function silenceOf({ audioFormat }: WireFormat): number {
  return audioFormat === "mulaw" ? mulawSilence : 0;
}
