/** Keeps a process's wall clock at the time of the state that it shares with others. */
import type { AgreedClock } from "../platform/agreed-clock.ts";
import type { CancelTimer } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { State } from "./ports/state.ts";

/** Monotonic clocks drift by less than 1 ms in this time; only a machine that was suspended needs it to be this short. */
export const readingPeriodMs = 10_000;
/** While the time has never been read, and the machine's clock, which may be wrong, is all that there is. Costs nothing without a connection. */
const firstReadingMs = 500;
/** A machine's clock that is further off is wrong. Tokens and certificates are still checked by it. */
const toleranceMs = 5000;

/**
 * Resolves when the time was read once, or cannot be read now, to the function that stops it. What is kept in the memory of
 * one process needs nobody else's time.
 */
export async function keepTime(
  clock: AgreedClock,
  state: Pick<State, "kind" | "time">,
  logger: Logger,
): Promise<() => void> {
  if (state.kind === "memory") return () => undefined;
  let isStopped = false;
  let isMachineWrong = false;
  let isRead = false;
  let cancel: CancelTimer = () => undefined;

  async function read(): Promise<void> {
    try {
      const requestedAtMs = clock.now();
      const sharedMs = await state.time();
      clock.correct({ sharedMs, requestedAtMs, answeredAtMs: clock.now() });
      isRead = true;
      compare();
    } catch {
      // Whoever holds the connection logs why the store cannot be reached. The clock goes on meanwhile.
    }
    if (!isStopped) cancel = clock.setTimer(isRead ? readingPeriodMs : firstReadingMs, () => void read());
  }

  function compare(): void {
    const aheadMs = Math.round(clock.machineAheadMs);
    const isWrong = Math.abs(aheadMs) > toleranceMs;
    if (isWrong && !isMachineWrong)
      logger.warn({ aheadMs }, "this machine's clock differs from the store's, whose time is used; set it right");
    if (!isWrong && isMachineWrong) logger.info({}, "this machine's clock and the store's agree again");
    isMachineWrong = isWrong;
  }

  await read();
  return () => {
    isStopped = true;
    cancel();
  };
}
