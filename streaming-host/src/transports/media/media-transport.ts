/**
 * `/media/stream` (spec 4.9). The communication service gets only its own frames; any other client gets the same audio frames with a `type`
 * added, as well as the typed messages.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { mulawSilence } from "@voice/provider-kit/audio/mulaw";
import { isSampleRate } from "@voice/provider-kit/audio/resample";
import { deliverClientText } from "../deliver-client-message.ts";
import type { ClientMessageTarget } from "../deliver-client-message.ts";
import { encodeMessage } from "../envelope.ts";
import type { CloseReason } from "../close-reasons.ts";
import { messageText } from "../message-text.ts";
import { GuardedSocket } from "../guarded-socket.ts";
import type { Socket } from "../socket.ts";
import type { SessionNotice, Transport, TransportEvents } from "../transport.ts";
import { createChunker } from "@voice/provider-kit/audio/chunker";
import type { Chunker } from "@voice/provider-kit/audio/chunker";
import { encodeAudioFrame, parseMediaFrame, stopAudioFrame } from "./media-frame.ts";
import type { MediaFrame } from "./media-frame.ts";
import { createWireAudio, sampleBytes } from "@voice/provider-kit/audio/wire-audio";
import type { WireAudio, WireFormat } from "@voice/provider-kit/audio/wire-audio";

/** Covers our timer and the network between two data centres; the service's own buffering is added to it (`bufferMs`). */
const mediaLeadMs = 100;
const frameMs = 20;

/** For PCM16, the only format that needs no negotiation. */
const bytesPerSample = 2;
/** The service writes `PCM`; clients also use names that the format has elsewhere. */
const pcmNames: ReadonlySet<string> = new Set(["pcm", "pcm16", "pcm_16", "pcm_s16le"]);

const partOfSample = "Audio must be 16-bit samples: an even number of bytes, or a multiple of four with two channels.";
const notBase64 = "Invalid AudioData: audioData.data: must be base64.";
const noSamples =
  "Invalid AudioData: audioData.data: is missing. A frame without samples says `silent: true`, and counts as 20 ms of silence.";
const onlyPcm = "Audio must be PCM with 16 bits; POST /api/v1/media/sessions agrees on another format.";
const listensItself =
  "Invalid TranscriptionData: this conversation recognises speech by itself; only TRANSCRIPTION takes what a peer has recognised.";
const alwaysFrames = "Audio is always sent as AudioData here; `audio_output` is for /browser/conversation.";

export interface MediaTransportOptions {
  readonly socket: Socket;
  readonly clock: Clock;
  /** The communication service, or a client that also expects our typed messages. */
  readonly peer: "service" | "client";
  readonly channel: "phone" | "media";
  readonly sampleRateHz: number;
  /** How long the peer buffers audio before it plays; zero if absent. */
  readonly bufferMs?: number | undefined;
  readonly format: WireFormat;
  /** The client has agreed on the format. Its bytes then form a stream, in which a message may end within a sample (FR-3). */
  readonly isNegotiated?: boolean | undefined;
  /** Called for every incoming frame, whatever it contains. */
  readonly onFrame?: (() => void) | undefined;
  /** The session recognises speech by itself, so it does not need what the peer has recognised. */
  readonly listensItself?: boolean | undefined;
  /** False if the client requested no transcripts (`enable_transcription`). */
  readonly sendsTranscripts?: boolean | undefined;
  /** Bytes of audio in one outgoing frame; 20 ms if absent. */
  readonly chunkBytes?: number | undefined;
}

export class MediaTransport implements Transport {
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
  #wireRateHz: number;
  #channels: number;
  #sessionId = "";
  #target: ClientMessageTarget | undefined;

  constructor(options: MediaTransportOptions) {
    const { chunkBytes, format } = options;
    this.#options = options;
    this.channel = options.channel;
    this.sampleRateHz = options.sampleRateHz;
    this.bufferMs = options.bufferMs;
    this.#isTyped = options.peer === "client";
    this.#chunker =
      chunkBytes === undefined ? undefined : createChunker(chunkBytes, silenceOf(format), sampleBytes(format));
    this.#wire = createWireAudio(format, options.sampleRateHz);
    this.#wireRateHz = format.sampleRateHz;
    this.#channels = format.channels;
    this.#socket = new GuardedSocket(options.socket, options.clock, {
      onMessage: (data, isBinary) => this.#receive(data, isBinary),
      onTooFrequent: () => this.#refuse("rate_limited", "Too many messages a second."),
      onClosed: (reason) => this.#target?.events.onClosed(reason),
    });
  }

  get wireRateHz(): number {
    return this.#wireRateHz;
  }

  setSession(id: string): void {
    this.#sessionId = id;
  }

  start(events: TransportEvents): void {
    this.#target = {
      events,
      onAudioData: (base64) => this.#receiveBase64(base64, events),
      onPing: () => this.#socket.send(encodeMessage("pong", this.#sessionId, this.#options.clock.wallNow(), {})),
      onConfig: ({ audio_output: wanted }) => {
        if (wanted === "binary") this.#refuse("validation_error", alwaysFrames);
      },
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

  probe(onAnswered: () => void): void {
    this.#socket.probe(onAnswered);
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
      this.#receiveBytes(data, target.events);
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
    // The service may add message types that we do not know, which must not end a call.
  }

  #receiveFrame(frame: MediaFrame, to: TransportEvents): void {
    switch (frame.kind) {
      case "audio":
        this.#receiveAudio(frame, to);
        return;
      case "metadata":
        this.#takeMetadata(frame);
        return;
      case "dtmf":
        to.onDigits(frame.digits);
        return;
      case "stop-audio":
        to.onCallerFinished();
        return;
      case "transcription":
        if (this.#options.listensItself === true) this.#refuse("validation_error", listensItself);
        else to.onTranscript(frame);
        return;
      case "invalid":
        this.#refuse("validation_error", frame.problem);
        return;
      case "other":
    }
  }

  #receiveAudio({ data, silent }: Extract<MediaFrame, { kind: "audio" }>, to: TransportEvents): void {
    const problem = this.#isTyped ? this.#problemOf(data, silent) : undefined;
    if (problem !== undefined) {
      this.#refuse("validation_error", problem);
      return;
    }
    // A silent frame may carry no samples, but endpointing still needs its 20 ms.
    if (data === "") to.onAudio(new Int16Array((this.sampleRateHz * frameMs) / 1000));
    else if (silent) to.onAudio(this.#wire.decode(this.#wholeSamples(Buffer.from(data, "base64"))).fill(0));
    else this.#receiveBase64(data, to);
  }

  /** What is wrong with a client's message. Nothing is refused of the communication service, because nobody there could mend it. */
  #problemOf(data: string, silent: boolean): string | undefined {
    if (data === "") return silent ? undefined : noSamples;
    if (!isBase64(data)) return notBase64;
    return this.#bytesOver(Buffer.byteLength(data, "base64")) > 0 ? partOfSample : undefined;
  }

  #receiveBytes(bytes: Uint8Array, to: TransportEvents): void {
    if (this.#isTyped && this.#bytesOver(bytes.length) > 0) this.#refuse("validation_error", partOfSample);
    else to.onAudio(this.#wire.decode(this.#wholeSamples(bytes)));
  }

  #receiveBase64(data: string, to: TransportEvents): void {
    if (this.#bytesOver(Buffer.byteLength(data, "base64")) > 0) {
      this.#receiveBytes(Buffer.from(data, "base64"), to);
      return;
    }
    const samples = this.#wire.decodeBase64(data);
    if (samples !== undefined) to.onAudio(samples);
    else this.#receiveBytes(Buffer.from(data, "base64"), to); // the remaining bytes
  }

  /** How many bytes a message has after its last whole sample; in a stream, the next message completes it. */
  #bytesOver(length: number): number {
    return this.#options.isNegotiated === true ? 0 : length % (bytesPerSample * this.#channels);
  }

  /** A message that the service has cut must not shift the following samples by a byte, which would turn speech into noise. */
  #wholeSamples(bytes: Uint8Array): Uint8Array {
    const over = this.#bytesOver(bytes.length);
    return over === 0 ? bytes : bytes.subarray(0, bytes.length - over);
  }

  /** What the peer announces for its stream takes precedence over the configuration. */
  #takeMetadata({ sampleRateHz, channels, encoding = "PCM" }: Extract<MediaFrame, { kind: "metadata" }>): void {
    const { format, isNegotiated } = this.#options;
    if (isNegotiated !== true && !pcmNames.has(encoding.toLowerCase())) {
      this.#refuse("audio_format_unsupported", onlyPcm);
    } else if (isSampleRate(sampleRateHz) && (channels === 1 || channels === 2)) {
      this.#channels = channels;
      this.#wireRateHz = sampleRateHz;
      this.#wire = createWireAudio({ ...format, sampleRateHz, channels }, this.sampleRateHz);
    } else this.#refuse("audio_format_unsupported", "Audio must come at 8, 16, 24 or 48 kHz with one or two channels.");
  }
}

/** Node skips what is no base64, and would so shorten the audio. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) && text.replace(/=+$/, "").length % 4 !== 1;
}

function silenceOf({ audioFormat }: WireFormat): number {
  return audioFormat === "mulaw" ? mulawSilence : 0;
}
