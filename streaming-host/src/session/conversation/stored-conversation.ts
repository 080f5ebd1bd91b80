/**
 * Writes a session to its store behind the audio: in order, one write at a time, and nobody who speaks waits for it. A
 * write that fails is logged, and the conversation goes on.
 */
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { SessionPatch, SessionRecord, SessionStore, TurnAppend } from "@voice/shared/state/ports/session-store";

export interface StoredConversationOptions {
  readonly record: SessionRecord;
  readonly store: SessionStore;
  readonly logger: Logger;
  /** Another host has the session now: its socket is the newer one. */
  readonly onTakenOver: () => void;
}

export class StoredConversation {
  readonly #options: StoredConversationOptions;
  #record: SessionRecord;
  #writes: Promise<void> = Promise.resolve();

  constructor(options: StoredConversationOptions) {
    this.#options = options;
    this.#record = options.record;
  }

  /** As the store last gave it. */
  get record(): SessionRecord {
    return this.#record;
  }

  append(turn: TurnAppend): void {
    this.#enqueue(() => this.#options.store.appendTurn(this.#record.sessionId, turn));
  }

  update(patch: SessionPatch): void {
    this.#enqueue(async () => {
      this.#record = await this.#updateLatest(patch);
    });
  }

  /** Resolves when everything so far is stored, or its failure is logged. */
  flush(): Promise<void> {
    return this.#writes;
  }

  /**
   * Somebody else may have written in between. An HTTP request: take its version and try once more. Another host that has
   * the session now: what we know of agent, memory and status is old, and writing it would undo what happens there.
   */
  async #updateLatest(patch: SessionPatch): Promise<SessionRecord> {
    const { store, onTakenOver } = this.#options;
    const { sessionId, version, hostId } = this.#record;
    try {
      return await store.update(sessionId, version, patch);
    } catch (error) {
      if (toVoiceError(error).code !== "conflict") throw error;
      const latest = await store.get(sessionId);
      if (typeof latest === "string") throw error;
      if (latest.hostId !== hostId) {
        onTakenOver();
        return this.#record;
      }
      return store.update(sessionId, latest.version, patch);
    }
  }

  #enqueue(write: () => Promise<void>): void {
    this.#writes = Promise.all([this.#writes, afterAudio()])
      .then(write)
      .catch((error: unknown) => {
        this.#options.logger.error({ error, code: toVoiceError(error).code }, "a turn could not be stored");
      });
  }
}

/** Whatever of this moment is for the caller's ear has been sent by then. */
function afterAudio(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
