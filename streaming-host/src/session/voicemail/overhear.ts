/** The same session, with a listener for the audio and text that it receives. */
import type { LiveSession } from "../modes/live-session.ts";

export interface Eavesdropper {
  hear(samples: Int16Array): void;
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
