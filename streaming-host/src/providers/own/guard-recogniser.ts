/**
 * Ensures that a user's own recogniser keeps the promises of its port. It calls back from timers and sockets of its own, where an uncaught
 * mistake would end the process, and every call in it.
 */
import type {
  RecognisedText,
  RecognitionEvents,
  RecognitionStream,
  Recogniser,
} from "@voice/provider-kit/ports/recogniser";
import { withoutAnnotations } from "@voice/provider-kit/recognition/without-annotations";
import { explainedError } from "@voice/shared/platform/errors";
import type { StatusBasis } from "@voice/shared/platform/status-basis";
import { z } from "zod";
import { ownFailure } from "./own-failure.ts";

const recognised = z.object({
  text: z.string(),
  sentence: z.enum(["whole", "whole-so-far", "beginning"]).optional(),
  guess: z.string().optional(),
  startMs: z.number(),
  endMs: z.number(),
  language: z.string(),
});

const streamFunctions = ["write", "flush", "setHints", "close"] as const;

export function guardRecogniser(name: string, own: Recogniser): Recogniser {
  let basis: StatusBasis = "not-asked";
  return {
    ...(own.sendsPieces === true && { sendsPieces: true }),
    async open(options, events, signal) {
      try {
        signal.throwIfAborted();
        const held = new GuardedStream(name, events);
        await held.open((guarded) => own.open(options, guarded, signal));
        signal.throwIfAborted();
        basis = "answered";
        return held;
      } catch (error) {
        signal.throwIfAborted();
        throw ownFailure(name, error);
      }
    },
    pool: () => ({ basis, ...own.pool() }),
    close: () => own.close(),
  };
}

class GuardedStream implements RecognitionStream {
  readonly #name: string;
  readonly #events: RecognitionEvents;
  #own: RecognitionStream | undefined;
  #isOver = false;

  constructor(name: string, events: RecognitionEvents) {
    this.#name = name;
    this.#events = events;
  }

  async open(begin: (events: RecognitionEvents) => Promise<RecognitionStream>): Promise<void> {
    const stream = await begin({
      onPartial: (partial) => this.#hear("partial", partial, (text) => this.#events.onPartial(text)),
      onFinal: (final) => this.#hear("final", final, (text) => this.#events.onFinal(text)),
      onUnknown: (error) => void (!this.#isOver && this.#events.onUnknown?.(ownFailure(this.#name, error))),
      onSent: (audioMs) => void (!this.#isOver && Number.isFinite(audioMs) && this.#events.onSent?.(audioMs)),
      onError: (error) => this.#fail(error),
    });
    const missing = streamFunctions.filter((key) => typeof Reflect.get(Object(stream), key) !== "function");
    if (missing.length > 0)
      throw explainedError(
        "upstream_unavailable",
        `the provider ${this.#name} opened a stream without ${missing.join(", ")}`,
      );
    this.#own = stream;
  }

  write(samples: Int16Array): void {
    try {
      this.#own?.write(samples);
    } catch (error) {
      this.#fail(error);
    }
  }

  flush(): void {
    try {
      this.#own?.flush();
    } catch (error) {
      this.#fail(error);
    }
  }

  setHints(hints: Parameters<RecognitionStream["setHints"]>[0]): boolean {
    try {
      return this.#own?.setHints(hints) === true;
    } catch (error) {
      this.#fail(error);
      return true; // another stream is opened anyway
    }
  }

  close(): void {
    this.#isOver = true;
    this.#own?.close();
  }

  #hear(kind: "partial" | "final", given: unknown, tell: (text: RecognisedText) => void): void {
    if (this.#isOver) return;
    const read = recognised.safeParse(given);
    if (read.success) {
      const text = withoutAnnotations(read.data.text);
      // The final reports that a sound contained no words.
      return kind === "partial" && text === "" && read.data.text !== "" ? undefined : tell({ ...read.data, text });
    }
    const key = read.error.issues[0]?.path.join(".") ?? "";
    const what = key === "" ? `a ${kind} that is none` : `a ${kind} whose ${key} is not what the port says`;
    this.#fail(explainedError("upstream_unavailable", `the provider ${this.#name} gave ${what}`));
  }

  /** The stream is dead: its owner opens another, and receives nothing more from this one. */
  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.onError(ownFailure(this.#name, error));
  }
}
