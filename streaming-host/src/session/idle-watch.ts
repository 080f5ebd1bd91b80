/** The caller's silence after the agent was heard (IDLE-1, IDLE-2), for modes whose turns are decided elsewhere. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { defaultIdleMs, maxReprompts } from "./turn/turn-settings.ts";

export interface IdleWatch {
  /** The agent was heard to its end: from here the caller's silence counts. */
  restart(): void;
  /** Somebody speaks, or is about to. */
  stop(): void;
  /** The caller said something: patience starts anew. */
  reset(): void;
}

export function createIdleWatch(
  clock: Clock,
  events: { readonly onReprompt: () => void; readonly onGivenUp: () => void },
): IdleWatch {
  let cancel: CancelTimer | undefined;
  let reprompts = 0;

  function stop(): void {
    cancel?.();
    cancel = undefined;
  }

  return {
    restart() {
      stop();
      cancel = clock.setTimer(defaultIdleMs, () => {
        cancel = undefined;
        if (reprompts++ < maxReprompts) events.onReprompt();
        else events.onGivenUp();
      });
    },
    stop,
    reset() {
      stop();
      reprompts = 0;
    },
  };
}
