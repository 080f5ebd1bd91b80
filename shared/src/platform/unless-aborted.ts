/** Ends the wait for work that does not end by itself when its signal is aborted, as some of the vendors' methods do not. */

/**
 * Rejects with the signal's reason as soon as it is aborted. A result that comes after that goes to `discard`, so that
 * nothing it opened stays open; a failure that comes after that has been dealt with already, and is ignored.
 */
export function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  discard: (value: T) => void = () => undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(toError(signal.reason));
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

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException("aborted", "AbortError");
}
