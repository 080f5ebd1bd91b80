/**
 * A call's transcript: the service recognises the caller's speech itself and sends partials and finals as text. No
 * audio is sent in either direction. The messages are `TranscriptionMetadata` and `TranscriptionData` of
 * `@azure/communication-call-automation` 1.6, models/streaming.d.ts.
 */
import { randomUUID } from "node:crypto";
import type { RecognisedText, RecognitionStream, Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { TranscriptionRequest } from "./call-requests.ts";
import { ServiceSocket } from "./service-socket.ts";
import type { CallStream, StreamEvents, StreamOptions } from "./service-socket.ts";

interface TranscriptionStreamOptions extends StreamOptions {
  readonly request: TranscriptionRequest;
  readonly sampleRateHz: number;
  readonly recogniser: () => Promise<Recogniser>;
  readonly events: StreamEvents;
}

/** The service counts in ticks of 100 ns. */
const ticksPerMs = 10_000;
const segmentationSilenceMs = 500;

export class TranscriptionStream implements CallStream {
  readonly #options: TranscriptionStreamOptions;
  readonly #socket: ServiceSocket;
  readonly #ending = new AbortController();
  #recognition: RecognitionStream | undefined;
  /** Audio that arrives before the recogniser is open is buffered for it. */
  #early: Int16Array[] = [];

  constructor(options: TranscriptionStreamOptions) {
    const { callConnectionId, correlationId, request } = options;
    this.#options = options;
    this.#socket = new ServiceSocket({
      ...options,
      transportUrl: request.transportUrl,
      introduction: () => ({
        kind: "TranscriptionMetadata",
        transcriptionMetadata: {
          subscriptionId: randomUUID(),
          locale: request.locale,
          callConnectionId,
          correlationId,
        },
      }),
      onMessage: () => undefined,
    });
  }

  start(): void {
    this.#socket.start();
    this.#listen().catch(() => this.#options.events.onFailed("streamConnectionUnsuccessful", 0));
  }

  speak(frame: Int16Array): void {
    if (this.#recognition === undefined) this.#early.push(frame);
    else this.#recognition.write(frame);
  }

  press(): void {
    // Keys are not speech, so they are not transcribed.
  }

  end(): void {
    this.#ending.abort();
    this.#recognition?.close();
    this.#socket.end();
  }

  break(): void {
    this.#socket.break();
  }

  async #listen(): Promise<void> {
    const { request, sampleRateHz, events } = this.#options;
    const recogniser = await this.#options.recogniser();
    this.#recognition = await recogniser.open(
      {
        sampleRateHz,
        language: request.locale,
        candidateLanguages: [],
        segmentationSilenceMs,
        hints: { examples: [], phrases: [] },
      },
      {
        onPartial: (text) => {
          if (request.enableIntermediateResults) this.#send(text, "Intermediate");
        },
        onFinal: (text) => this.#send(text, "Final"),
        onError: () => events.onFailed("streamConnectionUnsuccessful", 0),
      },
      this.#ending.signal,
    );
    for (const frame of this.#early.splice(0)) this.#recognition.write(frame);
  }

  #send({ text, startMs, endMs }: RecognisedText, resultStatus: "Intermediate" | "Final"): void {
    if (text === "") return;
    const offset = Math.round(startMs * ticksPerMs);
    const duration = Math.round((endMs - startMs) * ticksPerMs);
    this.#socket.send({
      kind: "TranscriptionData",
      transcriptionData: {
        text,
        format: "display",
        confidence: 0.9,
        offset,
        duration,
        words: text.split(" ").map((word) => ({ text: word, offset, duration })),
        participantRawID: this.#options.participant,
        resultStatus,
      },
    });
  }
}
