/**
 * Speech that is synthesised once for several listeners. A listener that joins late receives at once what already exists. Audio and word
 * times keep the synthesiser's order.
 */
import type { SpokenWord, SynthesisEvents } from "@voice/provider-kit/ports/synthesiser";

type Part = { readonly samples: Int16Array } | { readonly word: SpokenWord };

interface Listener {
  readonly events: SynthesisEvents;
  readonly heard: PromiseWithResolvers<void>;
}

/** Created once: an abort reason that nobody reads. */
const abandoned = new DOMException("nobody listens any more", "AbortError");

export class SharedUtterance {
  /** Resolves when all audio is there; rejects if synthesis failed. */
  readonly made: Promise<void>;
  readonly #isKept: boolean;
  readonly #abort = new AbortController();
  readonly #parts: Part[] = [];
  readonly #listeners = new Set<Listener>();
  #isMade = false;
  #bytes = 0;

  constructor(
    /** Whether synthesis continues to the end after all listeners have left. */
    isKept: boolean,
    /** Synthesises the speech; rejects on failure. */
    make: (events: SynthesisEvents, signal: AbortSignal) => Promise<void>,
  ) {
    this.#isKept = isKept;
    this.made = make(
      {
        onAudio: (samples) => this.#add({ samples }),
        onWord: (word) => this.#add({ word }),
      },
      this.#abort.signal,
    );
    this.made.then(
      () => this.#finish(),
      (error: unknown) => this.#fail(error),
    );
  }

  /** Bytes of audio so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** False once all listeners have left and synthesis has stopped. */
  get isAlive(): boolean {
    return !this.#abort.signal.aborted;
  }

  /** Resolves when this listener has received the whole utterance. */
  async hear(events: SynthesisEvents, signal: AbortSignal): Promise<void> {
    for (const part of this.#parts) {
      signal.throwIfAborted(); // a callback may make this listener leave
      deliver(part, events);
    }
    signal.throwIfAborted();
    if (this.#isMade) return;
    const listener: Listener = { events, heard: Promise.withResolvers<void>() };
    this.#listeners.add(listener);
    const leave = (): void => {
      listener.heard.reject(signal.reason);
      this.#leave(listener);
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      await listener.heard.promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  #add(part: Part): void {
    this.#parts.push(part);
    if ("samples" in part) this.#bytes += part.samples.byteLength;
    for (const listener of this.#listeners) {
      try {
        deliver(part, listener.events);
      } catch (error) {
        listener.heard.reject(error); // a listener that throws must not affect the others
        this.#leave(listener);
      }
    }
  }

  #finish(): void {
    this.#isMade = true;
    for (const { heard } of this.#listeners) heard.resolve();
    this.#listeners.clear();
  }

  #fail(error: unknown): void {
    for (const { heard } of this.#listeners) heard.reject(error);
    this.#listeners.clear();
  }

  #leave(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return;
    if (this.#listeners.size === 0 && !this.#isKept) this.#abort.abort(abandoned);
  }
}

/** Each listener gets its own copy, because receivers own the array. */
function deliver(part: Part, events: SynthesisEvents): void {
  if ("word" in part) events.onWord(part.word);
  else events.onAudio(part.samples.slice());
}
