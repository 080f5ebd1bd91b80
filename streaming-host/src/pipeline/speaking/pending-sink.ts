/** Buffers the audio of a prepared reply (TURN-10), and passes it on in the same order once there is a track for it. */
import type { SpeechSink } from "./clause-line.ts";

type Mark = Parameters<SpeechSink["mark"]>[0];

export class PendingSink implements SpeechSink {
  /** Runs the action when the reply is certain, or at once if it already is. */
  readonly #whenSure: (action: () => void) => void;
  #sink: SpeechSink | undefined;
  #length = 0;
  #textLength = 0;

  constructor(whenSure: (action: () => void) => void) {
    this.#whenSure = whenSure;
  }

  /** The sink is empty, so the positions that were given out are valid in it. */
  attach(sink: SpeechSink): void {
    this.#sink = sink;
  }

  get length(): number {
    return this.#length;
  }

  beginText(text: string): number {
    const start = this.#textLength === 0 ? 0 : this.#textLength + 1;
    this.#textLength = start + text.length;
    this.#whenSure(() => this.#sink?.beginText(text));
    return start;
  }

  write(samples: Int16Array): void {
    this.#length += samples.length;
    this.#whenSure(() => this.#sink?.write(samples));
  }

  mark(mark: Mark): void {
    this.#whenSure(() => this.#sink?.mark(mark));
  }

  complete(): void {
    this.#whenSure(() => this.#sink?.complete());
  }
}
