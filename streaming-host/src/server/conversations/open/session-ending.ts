/** Ends a session from within. What belongs to a session is made before it runs; what that requests until then has no effect. */
import type { LiveSession } from "../../../session/modes/live-session.ts";
import type { CloseReason } from "../../../transports/close-reasons.ts";

export class SessionEnding {
  #session: LiveSession | undefined;

  /** The session that is ended from now on. */
  of(session: LiveSession): void {
    this.#session = session;
  }

  close(reason: CloseReason): void {
    void this.#session?.close(reason);
  }

  /** The agent says goodbye first. */
  sayGoodbye(reason: string): void {
    this.#session?.handle({ type: "farewell-requested", reason });
  }
}
