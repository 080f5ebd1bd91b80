/** Those who watch a conversation are told all that its peer is told, and that it is over (HS-10). */
import type { Channel } from "@voice/shared/state/ports/session-store";
import type { SessionNotice } from "../transports/transport.ts";

export interface Watchers {
  tell(notice: SessionNotice): void;
  /** The session has ended for this reason. */
  over(reason: string): void;
}

export function tellWatchers(publish: (notice: SessionNotice) => void, channel: Channel): Watchers {
  let isToldOfEnd = false;

  function tell(notice: SessionNotice): void {
    if (notice.type === "event" && notice.payload.name === "session_ended") isToldOfEnd = true;
    publish(notice);
  }

  return {
    tell,
    over(reason) {
      // It goes on: on a newer socket, or, for a call, on another host.
      const goesOn = reason === "replaced" || (reason === "draining" && channel === "phone");
      if (isToldOfEnd || goesOn) return;
      const told = reason === "finished" ? "caller_left" : reason;
      tell({ type: "event", payload: { name: "session_ended", reason: told } });
    },
  };
}
