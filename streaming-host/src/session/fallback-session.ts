/**
 * FAIL-6: one conversation, two sessions. The first runs until what it depends on is gone; the second goes on with the
 * same conversation on the same transport. Whoever feeds the session, and waits for its end, does not notice.
 */
import type { VoiceError } from "@voice/shared/platform/errors";
import type { LiveSession } from "./live-session.ts";

/** What a session leaves behind that can go on no longer. It has let go of everything but the conversation and the transport. */
export interface SessionLoss {
  readonly error: VoiceError;
  /** Whether the caller waits for a word of the agent. */
  readonly opening: "pick-up" | "listen";
  /** What has to be said before anything else was said (REC-3). */
  readonly isAnnounced: boolean;
  /** What the caller has said that nobody has understood. */
  readonly unheard: readonly Int16Array[];
}

export interface FallbackSessionOptions {
  readonly start: (onLost: (loss: SessionLoss) => void) => LiveSession;
  readonly goOn: (loss: SessionLoss) => LiveSession;
}

export function startWithFallback(options: FallbackSessionOptions): LiveSession {
  const ended = Promise.withResolvers<string>();
  let hasBegun = false;
  let isPaused = false;
  let current = follow(options.start(goOn));

  function goOn(loss: SessionLoss): void {
    hasBegun = current.hasBegun;
    current = follow(options.goOn(loss));
    for (const samples of loss.unheard) current.onAudio(samples);
    if (isPaused) current.setPaused(true);
  }

  function follow(session: LiveSession): LiveSession {
    void session.ended.then(ended.resolve);
    return session;
  }

  return {
    get conversation() {
      return current.conversation;
    },
    get hasBegun() {
      return hasBegun || current.hasBegun;
    },
    onAudio: (samples) => current.onAudio(samples),
    onWholeTurn: (text) => current.onWholeTurn(text),
    onKeyPressed: () => current.onKeyPressed(),
    onCallerFinished: () => current.onCallerFinished(),
    onTranscript: (transcript) => current.onTranscript(transcript),
    setPaused(paused) {
      isPaused = paused;
      current.setPaused(paused);
    },
    get isQuiet() {
      return current.isQuiet;
    },
    sayFarewell: (reason) => current.sayFarewell(reason),
    onMachine: () => current.onMachine(),
    sayAndEnd: (text, reason) => current.sayAndEnd(text, reason),
    close: (reason) => current.close(reason),
    ended: ended.promise,
  };
}
