/** What those who watch a conversation are told: all that its peer is told, and that it is over (HS-10). */
import type { Clock } from "@voice/shared/platform/clock";
import type { Channel } from "@voice/shared/state/ports/session-store";
import type { LiveUpdates } from "@voice/shared/state/ports/live-updates";
import { encodeMessage } from "../transports/envelope.ts";
import type { SessionNotice } from "../transports/transport.ts";

export interface Watchers {
  tell(notice: SessionNotice): void;
  /** The session has ended for this reason. */
  over(reason: string): void;
}

export function tellWatchers(
  liveUpdates: LiveUpdates,
  conversation: { readonly sessionId: string; readonly channel: Channel },
  clock: Clock,
): Watchers {
  const { sessionId, channel } = conversation;
  let isToldOfEnd = false;

  function tell(notice: SessionNotice): void {
    if (notice.type === "event" && notice.payload.name === "session_ended") isToldOfEnd = true;
    const atMs = clock.wallNow();
    // Those who watch can wait for those who take part: no audio is behind this.
    setImmediate(() => {
      liveUpdates.publish({ sessionId, text: encodeMessage(notice.type, sessionId, atMs, notice.payload) });
    });
  }

  return {
    tell,
    over(reason) {
      // It goes on: on a newer socket, or, for a call, on another host.
      const goesOn = reason === "replaced" || (reason === "draining" && channel === "phone");
      if (isToldOfEnd || goesOn) return;
      tell({
        type: "event",
        payload: { name: "session_ended", reason: reason === "finished" ? "caller_left" : reason },
      });
    },
  };
}
