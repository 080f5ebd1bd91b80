/**
 * Runs the work until it succeeds once and returns that result to all later callers. A failure is reported only to
 * those who were waiting.
 */
export function keepFirstSuccess<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}
