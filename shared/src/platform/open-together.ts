/** Opens parts that depend on each other as one: either all of them are open, or none is left open. */
export interface OpenedTogether<T> {
  readonly parts: T;
  /** Closes the parts, the last one opened first. */
  close(): Promise<void>;
}

type Close = () => Promise<void> | void;

/** Called with the function that closes a part, as soon as that part is open. */
export type Opened = (close: Close) => void;

/** If opening fails, the parts opened so far are closed. */
export async function openTogether<T>(open: (opened: Opened) => Promise<T>): Promise<OpenedTogether<T>> {
  const closings: Close[] = [];
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const closing of closings.splice(0).toReversed()) {
      try {
        await closing();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "not everything could be closed");
  };
  try {
    const parts = await open((closing) => closings.push(closing));
    return { parts, close };
  } catch (error) {
    // The reason for the failed opening matters more than a failed closing.
    await close().catch(() => undefined);
    throw error;
  }
}
