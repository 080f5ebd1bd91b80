/**
 * A single timer for the playout of all sessions: with a timer each, a few hundred sessions spend more time in timers
 * than on audio. It runs only while some session is playing.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";

/** Half a frame: a frame is at most this late, far inside the smallest lead. */
export const tickMs = 10;

export interface TickerMember {
  readonly isActive: boolean;
  pump(): void;
}

export interface PlayoutTicker {
  /** Returns a function that removes the member. */
  add(member: TickerMember): () => void;
  /** Starts ticking if it had stopped; call it when a member becomes active. */
  wake(): void;
}

export function createPlayoutTicker(clock: Clock, logger: Logger): PlayoutTicker {
  const members = new Set<TickerMember>();
  let cancel: CancelTimer | undefined;

  function tick(): void {
    cancel = undefined;
    let active = false;
    for (const member of members) {
      if (!member.isActive) continue;
      try {
        member.pump();
        active ||= member.isActive;
      } catch (error) {
        // A bug in one session must not stop everybody's clock; its own watchdogs handle the consequences.
        members.delete(member);
        logger.error({ error }, "a playout broke");
      }
    }
    if (active) wake();
  }

  function wake(): void {
    cancel ??= clock.setTimer(tickMs, tick);
  }

  return {
    add(member) {
      members.add(member);
      return () => members.delete(member);
    },
    wake,
  };
}
