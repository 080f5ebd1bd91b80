/**
 * FAIL-6: one conversation, two sessions. The first runs until what it depends on is gone; the second goes on with the
 * same conversation on the same transport. Whoever feeds the session, and waits for its end, does not notice.
 */
import type { VoiceError } from "@voice/shared/platform/errors";
import type { LiveSession } from "./live-session.ts";

/** What a session leaves behind that can go on no longer. It has let go of everything but the conversation and the transport. */
export interface SessionLoss {
  readonly error: VoiceError;
  /** For a word of the agent: its greeting, or an answer. */
  readonly callerWaits: boolean;
  /** What has to be said before anything else was said (REC-3). */
  readonly isAnnounced: boolean;
  /** Milliseconds of the caller's audio before what is unheard. */
  readonly heardMs: number;
  /** What the caller has said that nobody has understood. */
  readonly unheard: readonly Int16Array[];
}

export interface FallbackSessionOptions {
  readonly start: (onLost: (loss: SessionLoss) => void) => LiveSession;
  readonly fallBack: (loss: SessionLoss) => LiveSession;
}

export function startWithFallback(options: FallbackSessionOptions): LiveSession {
  const ended = Promise.withResolvers<string>();
  let hadBegun = false;
  let isPaused = false;
  let current = follow(options.start(fallBack));

  function fallBack(loss: SessionLoss): void {
    hadBegun = current.status.hasBegun;
    current = follow(options.fallBack(loss));
    for (const samples of loss.unheard) current.onAudio(samples);
    if (isPaused) current.handle({ type: "paused", isPaused });
  }

  function follow(session: LiveSession): LiveSession {
    void session.ended.then(ended.resolve);
    return session;
  }

  return {
    get conversation() {
      return current.conversation;
    },
    get status() {
      const { hasBegun, isQuiet } = current.status;
      return { hasBegun: hadBegun || hasBegun, isQuiet };
    },
    onAudio: (samples) => current.onAudio(samples),
    handle(event) {
      if (event.type === "paused") ({ isPaused } = event);
      current.handle(event);
    },
    close: (reason) => current.close(reason),
    ended: ended.promise,
  };
}
