/** The turn machine's timers, by name: setting one that runs restarts it. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { TurnTimer } from "../turn/turn-effects.ts";

export interface SessionTimers {
  set(timer: TurnTimer, delayMs: number): void;
  clear(timer: TurnTimer): void;
  clearAll(): void;
}

export function createSessionTimers(clock: Clock, onFired: (timer: TurnTimer) => void): SessionTimers {
  const running = new Map<TurnTimer, CancelTimer>();
  const clear = (timer: TurnTimer): void => {
    running.get(timer)?.();
    running.delete(timer);
  };
  return {
    set(timer, delayMs) {
      clear(timer);
      const cancel = clock.setTimer(delayMs, () => {
        running.delete(timer);
        onFired(timer);
      });
      running.set(timer, cancel);
    },
    clear,
    clearAll() {
      for (const timer of running.keys()) clear(timer);
    },
  };
}
