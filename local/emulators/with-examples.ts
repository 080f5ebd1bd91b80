import type { Recogniser } from "@voice/provider-kit/ports/recogniser";

/** A cloud recogniser knows every sentence; a local one behind its protocol has to be told, because the wire tells it none. */
export function withExamples(recogniser: Recogniser, examples: readonly string[]): Recogniser {
  return {
    open: (options, events, signal) =>
      recogniser.open({ ...options, hints: { ...options.hints, examples } }, events, signal),
    pool: () => recogniser.pool(),
    close: () => recogniser.close(),
  };
}
