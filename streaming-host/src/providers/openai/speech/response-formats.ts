/**
 * The format in which a server is asked for speech. Raw samples start soonest, and are what OpenAI sends. A server that rejects them, or
 * sends something that cannot be decoded, is asked for WAV from then on, because WAV describes itself.
 */
import type { Logger } from "@voice/shared/platform/logger";

export type ResponseFormat = "pcm" | "wav";

export class ResponseFormats {
  readonly #logger: Logger;
  #current: ResponseFormat = "pcm";

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get current(): ResponseFormat {
    return this.#current;
  }

  learn(format: ResponseFormat, why: string): void {
    if (this.#current === format) return;
    this.#logger.warn(
      { format, refused: this.#current, why },
      "a speech server is asked for another format from now on",
    );
    this.#current = format;
  }
}
