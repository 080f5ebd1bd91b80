/** Those who watch a conversation are told all that its peer is told, and that it is over (HS-10). */
import type { Channel } from "@voice/shared/state/ports/session-store";
import type { SessionNotice } from "../../transports/transport.ts";

export interface Watchers {
  tell(notice: SessionNotice): void;
  sessionEnded(reason: string): void;
}

export function createWatchers(publish: (notice: SessionNotice) => void, channel: Channel): Watchers {
  let knowsEnd = false;

  function tell(notice: SessionNotice): void {
    if (notice.type === "event" && notice.payload.name === "session_ended") knowsEnd = true;
    publish(notice);
  }

  return {
    tell,
    sessionEnded(reason) {
      // The conversation continues: on a newer socket, or, for a call, on another host.
      const continues = reason === "replaced" || (reason === "draining" && channel === "phone");
      if (knowsEnd || continues) return;
      const told = reason === "finished" ? "caller_left" : reason;
      tell({ type: "event", payload: { name: "session_ended", reason: told } });
    },
  };
}
