/** The same session, with somebody who listens to what it hears. */
import type { LiveSession } from "../modes/live-session.ts";

export interface Eavesdropper {
  hear(samples: Int16Array): void;
  /** The session is being closed. */
  stop(): void;
}

export function overhear(session: LiveSession, eavesdropper: Eavesdropper): LiveSession {
  return {
    get conversation() {
      return session.conversation;
    },
    get status() {
      return session.status;
    },
    onAudio(samples) {
      eavesdropper.hear(samples);
      session.onAudio(samples);
    },
    handle: (event) => session.handle(event),
    close(reason) {
      eavesdropper.stop();
      return session.close(reason);
    },
    ended: session.ended,
  };
}
