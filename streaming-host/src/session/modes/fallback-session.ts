/**
 * FAIL-6: one conversation, two sessions. When the first loses what it depends on, the second continues the same
 * conversation on the same transport, transparently to the owner of the session.
 */
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Dispatch } from "./call-effects.ts";
import type { LiveSession, SessionEnd } from "./live-session.ts";
import type { PeerEvent } from "./peer-event.ts";

/**
 * What a session that cannot continue leaves to its successor. It has released everything but the conversation and the
 * transport.
 */
export interface SessionLoss {
  readonly error: VoiceError;
  /** The caller waits for the agent's greeting or answer. */
  readonly callerWaits: boolean;
  /** The announcement that has to come before anything else (REC-3) is over. */
  readonly isAnnounced: boolean;
  /** Tells the successor, once it has begun, what is under way and how that ends. */
  readonly handOver: (successor: Dispatch) => void;
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

export class SessionWithFallback implements LiveSession {
  readonly #fallBack: FallbackSessionOptions["fallBack"];
  readonly #ended = Promise.withResolvers<string>();
  #current: LiveSession;
  #hadBegun = false;
  #isPaused = false;

  constructor({ start, fallBack }: FallbackSessionOptions) {
    this.#fallBack = fallBack;
    this.#current = this.#follow(start((loss) => this.#goOn(loss)));
  }

  get conversation(): LiveSession["conversation"] {
    return this.#current.conversation;
  }

  get status(): LiveSession["status"] {
    const { hasBegun, isQuiet } = this.#current.status;
    return { hasBegun: this.#hadBegun || hasBegun, isQuiet };
  }

  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  onAudio(samples: Int16Array): void {
    this.#current.onAudio(samples);
  }

  handle(event: PeerEvent): void {
    if (event.type === "paused") this.#isPaused = event.isPaused;
    this.#current.handle(event);
  }

  close(reason?: SessionEnd): Promise<void> {
    return this.#current.close(reason);
  }

  #goOn(loss: SessionLoss): void {
    this.#hadBegun = this.#current.status.hasBegun;
    this.#current = this.#follow(this.#fallBack(loss));
    if (this.#isPaused) this.#current.handle({ type: "paused", isPaused: true });
  }

  #follow(session: LiveSession): LiveSession {
    void session.ended.then(this.#ended.resolve);
    return session;
  }
}
