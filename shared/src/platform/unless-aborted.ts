/** Stops waiting for work that does not end when its signal is aborted, as some methods of vendors do not. */

/**
 * Rejects with the signal's reason as soon as it is aborted. A result that arrives later is passed to `discard`, so that nothing it opened
 * stays open; a later failure is ignored, because the abort has already been reported.
 */
export function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  discard: (value: T) => void = () => undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortReason(signal));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    work.then(
      (value) => {
        signal.removeEventListener("abort", onAbort);
        // The signal may have been aborted since the work ended.
        if (signal.aborted) discard(value);
        else resolve(value);
        return undefined;
      },
      (error: unknown) => {
        signal.removeEventListener("abort", onAbort);
        reject(toError(error));
      },
    );
  });
}

/** A signal may be aborted with a reason that is no error, and a promise must be rejected with one. */
export function abortReason({ reason }: AbortSignal): Error {
  return toError(reason);
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException("aborted", "AbortError");
}
