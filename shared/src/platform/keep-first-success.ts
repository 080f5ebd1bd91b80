/** Runs the work until it succeeds once and keeps that result for every later caller; a failure reaches only those who waited for it. */
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
