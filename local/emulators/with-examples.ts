import type { Recogniser } from "@voice/provider-kit/ports/recogniser";

/**
 * Adds example sentences to the hints: a cloud recogniser needs none and is sent none, but the local one behind its
 * protocol does.
 */
export function withExamples(recogniser: Recogniser, examples: readonly string[]): Recogniser {
  return {
    open: (options, events, signal) =>
      recogniser.open({ ...options, hints: { ...options.hints, examples } }, events, signal),
    pool: () => recogniser.pool(),
    close: () => recogniser.close(),
  };
}
