/** One session's stream on the main thread: sends the audio to a worker thread and receives what it recognises. */
import { VoiceError } from "@voice/shared/platform/errors";
import type { RecognitionEvents, RecognitionHints, RecognitionStream } from "@voice/provider-kit/ports/recogniser";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { knownValuesOf } from "../open-vocabulary/known-values.ts";
import { TwoEars } from "../open-vocabulary/two-ears.ts";
import type { OpenWords } from "../open-vocabulary/two-ears.ts";
import { TimeHold } from "../time-hold.ts";
import type { SupervisedWorker } from "@voice/provider-kit/worker-threads/supervised-worker";
import type { FromRecognitionWorker, ToRecognitionWorker } from "./recognition-protocol.ts";

/** How much audio a thread may be behind before the stream fails: nobody waits longer for an answer. */
const maxBehindMs = 30_000;

/** How much audio a thread may be behind before simulated time waits for it: three frames, which a thread processes together. */
const heldBehindMs = 60;

export interface LocalStreamOptions {
  readonly id: number;
  readonly worker: SupervisedWorker<ToRecognitionWorker>;
  readonly sampleRateHz: number;
  readonly language: string;
  readonly hints: RecognitionHints;
  /** Absent where the grammar alone recognises speech. */
  readonly openWords: OpenWords | undefined;
  readonly events: RecognitionEvents;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called once, when the thread has stopped serving the stream. */
  onGone(): void;
}

export class LocalStream implements RecognitionStream {
  readonly #options: LocalStreamOptions;
  readonly #opened = Promise.withResolvers<void>();
  #state: "opening" | "open" | "gone" = "opening";
  readonly #time: TimeHold;
  readonly #ears: TwoEars | undefined;
  /** Whether the agent that has the floor speaks the language of the open recogniser. */
  #isEnglish = false;
  #behindSamples = 0;

  constructor(options: LocalStreamOptions) {
    this.#options = options;
    this.#time = new TimeHold(options.clock);
    this.#ears = options.openWords && this.#withOpenWords(options.openWords);
    this.#expect(options.hints);
  }

  /**
   * Resolves when the thread has a grammar for the stream; rejects when it cannot make one, or when the signal is
   * aborted first.
   */
  async whenOpen(signal: AbortSignal): Promise<this> {
    const abort = (): void => {
      this.close();
      this.#opened.reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    this.#time.set(true);
    try {
      await this.#opened.promise;
    } finally {
      signal.removeEventListener("abort", abort);
      this.#time.set(false);
    }
    return this;
  }

  write(samples: Int16Array): void {
    if (this.#state === "gone") return;
    const { id, worker } = this.#options;
    this.#behindSamples += samples.length;
    if (this.#isBehind(maxBehindMs)) {
      this.fail(new VoiceError("upstream_timeout", "the local recogniser cannot keep up"));
      return;
    }
    if (this.#isBehind(heldBehindMs)) this.#time.set(true);
    const copy = new Int16Array(samples);
    worker.post({ type: "audio", stream: id, samples: copy }, [copy.buffer]);
  }

  flush(): void {
    if (this.#state !== "gone") this.#options.worker.post({ type: "flush", stream: this.#options.id });
  }

  setHints(hints: RecognitionHints): boolean {
    this.#expect(hints);
    if (this.#state !== "gone") this.#options.worker.post({ type: "hints", stream: this.#options.id, hints });
    return true;
  }

  close(): void {
    if (this.#state === "gone") return;
    this.#state = "gone";
    this.#time.set(false);
    this.#ears?.close();
    this.#options.onGone();
    this.#options.worker.post({ type: "close", stream: this.#options.id });
  }

  /** Handles a message from the thread about this stream. */
  hear(message: FromRecognitionWorker): void {
    const { events, language } = this.#options;
    const ears = this.#isEnglish ? this.#ears : undefined;
    switch (message.type) {
      case "opened":
        this.#state = "open";
        this.#opened.resolve();
        return;
      case "heard":
        this.#behindSamples -= message.samples;
        if (!this.#isBehind(heldBehindMs)) this.#time.set(false);
        return;
      case "speech":
        ears?.speech(message);
        return;
      case "partial":
      case "final": {
        const { text, sentence, guess, concluded, startMs, endMs } = message;
        const recognised = { text, sentence, guess, startMs, endMs, language };
        if (message.type === "partial") {
          if (ears === undefined) events.onPartial(recognised);
          else ears.partial({ ...recognised, concluded });
        } else if (ears === undefined) events.onFinal(recognised);
        else ears.final(recognised);
        return;
      }
      case "failed":
        this.fail(new VoiceError("upstream_unavailable", "local recognition failed"));
    }
  }

  /** Rejects the pending `open`, or reports the failure to the stream's owner once it is open. */
  fail(error: VoiceError): void {
    if (this.#state === "gone") return;
    const wasOpen = this.#state === "open";
    this.close();
    if (wasOpen) this.#options.events.onError(error);
    else this.#opened.reject(error);
  }

  #expect({ language = this.#options.language, awaits, examples }: RecognitionHints): void {
    this.#isEnglish = isEnglish(language);
    if (this.#ears === undefined) return;
    this.#ears.awaits = awaits;
    this.#ears.known = knownValuesOf(examples);
  }

  #withOpenWords(openWords: OpenWords): TwoEars {
    const { id, worker, language, events, clock, logger } = this.#options;
    const time = new TimeHold(clock);
    return new TwoEars({
      ...openWords,
      language,
      clock,
      logger,
      onWaiting: (isWaiting) => time.set(isWaiting),
      onPartial: (partial) => events.onPartial(partial),
      onFinal: (final) => events.onFinal(final),
      onOpenWords: () => worker.post({ type: "forget", stream: id }),
    });
  }

  #isBehind(ms: number): boolean {
    return this.#behindSamples * 1_000 > ms * this.#options.sampleRateHz;
  }
}

function isEnglish(language: string): boolean {
  return language.toLowerCase().split("-", 1)[0] === "en";
}
