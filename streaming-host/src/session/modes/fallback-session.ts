/**
 * FAIL-6: one conversation, two sessions. When the first loses what it depends on, the second continues the same
 * conversation on the same transport, transparently to the owner of the session.
 */
import type { VoiceError } from "@voice/shared/platform/errors";
import type { LiveSession } from "./live-session.ts";

/**
 * What a session that cannot continue leaves to its successor. It has released everything but the conversation and the
 * transport.
 */
export interface SessionLoss {
  readonly error: VoiceError;
  /** The caller waits for the agent's greeting or answer. */
  readonly callerWaits: boolean;
  /** The announcement that still has to be made before anything else (REC-3). */
  readonly isAnnounced: boolean;
  /** Milliseconds of the caller's audio before the unrecognised part. */
  readonly heardMs: number;
  /** The caller's audio that has not been recognised yet. */
  readonly unheard: readonly Int16Array[];
}

export interface FallbackSessionOptions {
  readonly start: (onLost: (loss: SessionLoss) => void) => LiveSession;
  /** Begins with what the first session has left. */
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
