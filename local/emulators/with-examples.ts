import type { Recogniser } from "@voice/provider-kit/ports/recogniser";

/**
 * Adds example sentences to the hints: a cloud recogniser needs none and is sent none, but the local one behind its
 * protocol does. They are asked for when somebody first speaks.
 */
export function withExamples(recogniser: Recogniser, examplesOf: () => readonly string[]): Recogniser {
  let examples: readonly string[] | undefined;
  return {
    open: (options, events, signal) => {
      examples ??= examplesOf();
      return recogniser.open({ ...options, hints: { ...options.hints, examples } }, events, signal);
    },
    pool: () => recogniser.pool(),
    close: () => recogniser.close(),
  };
}
