/** One session's stream on the main thread: sends the audio to a worker thread and receives what it recognises. */
import { VoiceError } from "@voice/shared/platform/errors";
import type { RecognitionEvents, RecognitionHints, RecognitionStream } from "@voice/provider-kit/ports/recogniser";
import type { Clock } from "@voice/shared/platform/clock";
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
  readonly events: RecognitionEvents;
  readonly clock: Clock;
  /** Called once, when the thread has stopped serving the stream. */
  onGone(): void;
}

export class LocalStream implements RecognitionStream {
  readonly #options: LocalStreamOptions;
  readonly #opened = Promise.withResolvers<void>();
  #state: "opening" | "open" | "gone" = "opening";
  readonly #time: TimeHold;
  #behindSamples = 0;

  constructor(options: LocalStreamOptions) {
    this.#options = options;
    this.#time = new TimeHold(options.clock);
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
    if (this.#state !== "gone") this.#options.worker.post({ type: "hints", stream: this.#options.id, hints });
    return true;
  }

  close(): void {
    if (this.#state === "gone") return;
    this.#state = "gone";
    this.#time.set(false);
    this.#options.onGone();
    this.#options.worker.post({ type: "close", stream: this.#options.id });
  }

  /** Handles a message from the thread about this stream. */
  hear(message: FromRecognitionWorker): void {
    const { events, language } = this.#options;
    switch (message.type) {
      case "opened":
        this.#state = "open";
        this.#opened.resolve();
        return;
      case "heard":
        this.#behindSamples -= message.samples;
        if (!this.#isBehind(heldBehindMs)) this.#time.set(false);
        return;
      case "partial":
      case "final": {
        const { text, sentence, guess, startMs, endMs } = message;
        const recognised = { text, sentence, guess, startMs, endMs, language };
        if (message.type === "partial") events.onPartial(recognised);
        else events.onFinal(recognised);
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

  #isBehind(ms: number): boolean {
    return this.#behindSamples * 1_000 > ms * this.#options.sampleRateHz;
  }
}
