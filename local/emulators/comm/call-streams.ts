/**
 * A call's stream to the product, and the events that the service sends about it (`MediaStreamingStarted`, `TranscriptionStarted` and their
 * like: `@azure/communication-call-automation` 1.6, models/events.d.ts). A call has one stream at a time.
 */
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { MediaStreamingRequest, TranscriptionRequest } from "./call-requests.ts";
import { MediaStream } from "./media-stream.ts";
import type { CallStream, StreamEvents, StreamOptions } from "./call-stream.ts";
import { TranscriptionStream } from "./transcription-stream.ts";

export interface CallStreamsOptions {
  readonly stream: StreamOptions;
  /** The recogniser with which the service transcribes. */
  readonly recogniser: (() => Promise<Recogniser>) | undefined;
  /** Audio that comes back on the stream. */
  readonly onAudio: (samples: Int16Array) => void;
  readonly onStopAudio: () => void;
  readonly tell: (type: string, data: Readonly<Record<string, unknown>>) => void;
}

export interface WantedStream {
  readonly media: MediaStreamingRequest | undefined;
  readonly transcription: TranscriptionRequest | undefined;
}

export class CallStreams {
  /** Close codes of the streams that the product ended. */
  readonly interruptions: number[] = [];
  /** How many streams have been opened. */
  opened = 0;
  readonly #options: CallStreamsOptions;
  #stream: CallStream | undefined;
  #takesNone = false;
  #isStalled = false;

  constructor(options: CallStreamsOptions) {
    this.#options = options;
  }

  /** The stream of audio or of the transcript, depending on how the call was set up. */
  open(wanted: WantedStream, sampleRateHz: number): void {
    if (this.#takesNone) return;
    this.#isStalled = false;
    this.#stream?.end();
    this.#stream = this.#create(wanted, sampleRateHz);
    this.#stream?.start();
  }

  speak(frame: Int16Array): void {
    if (!this.#isStalled) this.#stream?.speak(frame);
  }

  press(key: string): void {
    this.#stream?.press(key);
  }

  end(): void {
    this.#stream?.end();
  }

  /** The network loses the connection. */
  break(): void {
    this.#stream?.break();
  }

  /** The network loses the connection and accepts no new one for this call. */
  lose(): void {
    this.#takesNone = true;
    this.break();
  }

  /** The connection stays open, and nothing more arrives on it. */
  stall(): void {
    this.#isStalled = true;
  }

  #create({ media, transcription }: WantedStream, sampleRateHz: number): CallStream | undefined {
    const { stream, recogniser, onAudio, onStopAudio } = this.#options;
    if (transcription !== undefined && recogniser !== undefined)
      return new TranscriptionStream({
        ...stream,
        request: transcription,
        sampleRateHz,
        recogniser,
        events: this.#events("Transcription"),
      });
    if (media === undefined) return undefined;
    const events = { ...this.#events("MediaStreaming"), onAudio, onStopAudio };
    return new MediaStream({ ...stream, request: media, events });
  }

  #events(kind: StreamKind): StreamEvents {
    return {
      onStarted: (details) => {
        this.opened++;
        this.#tell(kind, "Started", details);
      },
      onStopped: () => this.#tell(kind, "Stopped", "subscriptionStopped"),
      onInterrupted: (code) => this.interruptions.push(code),
      onFailed: (details, status) =>
        this.#tell(kind, "Failed", details, {
          code: 400,
          subCode: 8581,
          message: `Transport url is not valid or web socket server is not operational (${status}).`,
        }),
    };
  }

  #tell(
    kind: StreamKind,
    status: StreamStatus,
    details: string,
    resultInformation: unknown = { code: 200, subCode: 0 },
  ): void {
    this.#options.tell(`${kind}${status}`, { ...streamUpdate(kind, status, details), resultInformation });
  }
}

type StreamKind = "MediaStreaming" | "Transcription";
type StreamStatus = "Started" | "Stopped" | "Failed";

/** The part of an event that describes a stream's state. */
function streamUpdate(kind: StreamKind, status: StreamStatus, details: string): Readonly<Record<string, unknown>> {
  if (kind === "Transcription")
    return {
      transcriptionUpdate: { transcriptionStatus: `transcription${status}`, transcriptionStatusDetails: details },
    };
  return {
    mediaStreamingUpdate: {
      contentType: "Audio",
      mediaStreamingStatus: `mediaStreaming${status}`,
      mediaStreamingStatusDetails: details,
    },
  };
}
