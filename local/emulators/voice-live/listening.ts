/** Listens for one conversation: the audio level tells when someone speaks, and the recogniser what was said. */
import type { RecognitionStream, Recogniser } from "@voice/provider-kit/ports/recogniser";
import { EnergySegmenter } from "../energy-segmenter.ts";

export type ListeningOptions = {
  readonly recogniser: Recogniser;
  readonly sampleRateHz: number;
  /** The first is the usual one. */
  readonly languages: readonly string[];
  readonly phrases: readonly string[];
  readonly silenceMs: number;
};

export type ListeningEvents = {
  onSpeechStarted(atMs: number): void;
  onSpeechStopped(atMs: number): void;
  onPartial(text: string): void;
  /** Called exactly once after every `onSpeechStopped`; empty for sound without words. */
  onTranscript(text: string): void;
  onFailed(): void;
};

/** The audio level decides when a turn ends, so the recogniser's own endpointing must be slower. */
const longerThanAnyPauseMs = 5_000;

export class Listening {
  readonly #segmenter: EnergySegmenter;
  readonly #stream: RecognitionStream;

  static async open(options: ListeningOptions, events: ListeningEvents, signal: AbortSignal): Promise<Listening> {
    const { recogniser, sampleRateHz, languages, phrases, silenceMs } = options;
    const [language = "", ...candidateLanguages] = languages;
    const stream = await recogniser.open(
      {
        sampleRateHz,
        language,
        candidateLanguages,
        segmentationSilenceMs: silenceMs + longerThanAnyPauseMs,
        hints: { examples: [], phrases },
      },
      {
        onPartial: ({ text }) => events.onPartial(text),
        onFinal: ({ text }) => events.onTranscript(text),
        onError: () => events.onFailed(),
      },
      signal,
    );
    return new Listening(options, events, stream);
  }

  private constructor(options: ListeningOptions, events: ListeningEvents, stream: RecognitionStream) {
    this.#stream = stream;
    this.#segmenter = new EnergySegmenter(options, {
      onStart: (startMs) => events.onSpeechStarted(startMs),
      onProgress: () => undefined,
      onEnd: (_, endMs) => {
        events.onSpeechStopped(endMs);
        stream.flush();
      },
    });
  }

  write(samples: Int16Array): void {
    this.#stream.write(samples);
    this.#segmenter.write(samples);
  }

  /** Ends the turn although the speaker has not paused. */
  commit(): void {
    this.#segmenter.flush();
  }

  close(): void {
    this.#stream.close();
  }
}
