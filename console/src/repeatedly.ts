/** Reads from the service again and again what changes there. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

/** Runs until the returned function is called. `read` says after how long it is due again; undefined: never. */
export function repeatedly(clock: Clock, read: (signal: AbortSignal) => Promise<number | undefined>): () => void {
  const abort = new AbortController();
  let cancel: CancelTimer = () => undefined;
  const run = async (): Promise<void> => {
    const nextMs = await read(abort.signal);
    if (nextMs !== undefined && !abort.signal.aborted) cancel = clock.setTimer(nextMs, () => void run());
  };
  void run();
  return () => {
    abort.abort();
    cancel();
  };
}
