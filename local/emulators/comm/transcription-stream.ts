/**
 * A call's transcript: the service recognises the caller's speech itself and sends partials and finals as text. No
 * audio is sent in either direction. The messages are `TranscriptionMetadata` and `TranscriptionData` of
 * `@azure/communication-call-automation` 1.6, models/streaming.d.ts.
 */
import { randomUUID } from "node:crypto";
import type { RecognisedText, RecognitionStream, Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { TranscriptionRequest } from "./call-requests.ts";
import { CallStream } from "./call-stream.ts";
import type { StreamEvents, StreamOptions } from "./call-stream.ts";

interface TranscriptionStreamOptions extends StreamOptions {
  readonly request: TranscriptionRequest;
  readonly sampleRateHz: number;
  readonly recogniser: () => Promise<Recogniser>;
  readonly events: StreamEvents;
}

/** The service counts in ticks of 100 ns. */
const ticksPerMs = 10_000;
const segmentationSilenceMs = 500;

export class TranscriptionStream extends CallStream<TranscriptionStreamOptions> {
  #recognition: RecognitionStream | undefined;
  /** Audio that arrives before the recogniser is open is buffered for it. */
  #early: Int16Array[] = [];

  constructor(options: TranscriptionStreamOptions) {
    super(options, options.request.transportUrl);
  }

  protected introduction(): unknown {
    const { callConnectionId, correlationId, request } = this.options;
    const { locale } = request;
    const transcriptionMetadata = { subscriptionId: randomUUID(), locale, callConnectionId, correlationId };
    return { kind: "TranscriptionMetadata", transcriptionMetadata };
  }

  override start(): void {
    super.start();
    this.#listen().catch(() => this.options.events.onFailed("streamConnectionUnsuccessful", 0));
  }

  speak(frame: Int16Array): void {
    if (this.#recognition === undefined) this.#early.push(frame);
    else this.#recognition.write(frame);
  }

  press(): void {
    // Keys are not speech, so they are not transcribed.
  }

  override end(): void {
    this.#recognition?.close();
    super.end();
  }

  async #listen(): Promise<void> {
    const { request, sampleRateHz, events } = this.options;
    const recogniser = await this.options.recogniser();
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
      this.ended,
    );
    for (const frame of this.#early.splice(0)) this.#recognition.write(frame);
  }

  #send({ text, startMs, endMs }: RecognisedText, resultStatus: "Intermediate" | "Final"): void {
    if (text === "") return;
    const offset = Math.round(startMs * ticksPerMs);
    const duration = Math.round((endMs - startMs) * ticksPerMs);
    this.send({
      kind: "TranscriptionData",
      transcriptionData: {
        text,
        format: "display",
        confidence: 0.9,
        offset,
        duration,
        words: text.split(" ").map((word) => ({ text: word, offset, duration })),
        participantRawID: this.options.participant,
        resultStatus,
      },
    });
  }
}
