/** How a conversation ends where a model speaks by itself: after its last words, or without them. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { SessionNotice } from "../transports/transport.ts";
import { deadAirMs } from "./turn/turn-settings.ts";

export interface Ending {
  /** Why it ends once the agent was heard; undefined while it goes on. */
  readonly reason: string | undefined;
  /** Ends when what is being said was heard. */
  plan(reason: string): void;
  /** Ends after these words, or at once when there are none or nobody can say them. */
  sayAndEnd(text: string, reason: string): void;
  end(reason: string): void;
  close(): void;
}

export function createEnding(options: {
  readonly clock: Clock;
  readonly notify: (notice: SessionNotice) => void;
  readonly say: (text: string) => boolean;
  readonly onEnded: (reason: string) => void;
}): Ending {
  let planned: string | undefined;
  let cancel: CancelTimer | undefined;

  function end(reason: string): void {
    options.notify({ type: "event", payload: { name: "session_ended", reason } });
    options.onEnded(reason);
  }

  return {
    get reason() {
      return planned;
    },
    plan(reason) {
      planned = reason;
    },
    sayAndEnd(text, reason) {
      planned = reason;
      if (text === "" || !options.say(text)) end(reason);
      cancel?.();
      cancel = options.clock.setTimer(deadAirMs, () => end(reason)); // a goodbye that is never spoken
    },
    end,
    close: () => cancel?.(),
  };
}
