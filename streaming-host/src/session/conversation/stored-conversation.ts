/**
 * Writes a session to its store in the background: in order, one write at a time, without delaying a turn. A failed
 * write is logged, and the conversation goes on.
 */
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { SessionPiece } from "@voice/shared/state/ports/session-log";
import type { SessionPatch, SessionRecord, SessionStore, TurnAppend } from "@voice/shared/state/ports/session-store";

export interface StoredConversationOptions {
  readonly record: SessionRecord;
  readonly store: SessionStore;
  readonly logger: Logger;
  /** Another host has taken over the session with a newer socket. */
  readonly onTakenOver: () => void;
}

/** What those who watch were sent, which is stored with the end of the turn. */
export interface MessagesOfTurns {
  take(): SessionPiece | undefined;
}

/** Nobody sends requests that change one session so fast that each attempt meets another of them. */
const maxAttempts = 10;

export class StoredConversation {
  messages: MessagesOfTurns | undefined;
  readonly #options: StoredConversationOptions;
  #record: SessionRecord;
  readonly #waiting: (() => Promise<void>)[] = [];
  #writing: Promise<void> | undefined;

  constructor(options: StoredConversationOptions) {
    this.#options = options;
    this.#record = options.record;
  }

  /** The record as last returned by the store. */
  get record(): SessionRecord {
    return this.#record;
  }

  /** `make` is called when everything before is stored, and not while a caller waits for an answer; undefined for nothing. */
  append(make: () => TurnAppend | undefined): void {
    this.#enqueue(async () => {
      const turn = make();
      if (turn === undefined) return;
      const { store, onTakenOver } = this.#options;
      const { sessionId, createdAtMs, claimedAtMs } = this.#record;
      const messages = turn.metrics && this.messages?.take();
      const outcome = await store.appendTurn(sessionId, { ...turn, messages, createdAtMs, claimedAtMs });
      if (outcome === "late") onTakenOver();
    });
  }

  update(patch: SessionPatch): void {
    this.#enqueue(async () => {
      this.#record = await this.#updateLatest(patch);
    });
  }

  /** Resolves when everything so far is stored or its failure is logged. */
  flush(): Promise<void> {
    return this.#writing ?? Promise.resolve();
  }

  /**
   * After a conflict another process has written. If these were HTTP requests, repeat it on their version. If another host
   * has taken over the session, our agent, memory and status are outdated, and writing them would undo that host's
   * changes.
   */
  async #updateLatest(patch: SessionPatch): Promise<SessionRecord> {
    const { store, onTakenOver } = this.#options;
    const { sessionId, createdAtMs } = this.#record;
    let { version } = this.#record;
    for (let attempt = 1; ; attempt += 1)
      try {
        return await store.update(sessionId, version, patch);
      } catch (error) {
        if (toVoiceError(error).code !== "conflict" || attempt === maxAttempts) throw error;
        const latest = await store.get(sessionId);
        if (typeof latest === "string") throw error;
        if (isTakenFrom(this.#record, latest)) {
          onTakenOver();
          return this.#record;
        }
        if (latest.createdAtMs > createdAtMs)
          throw new VoiceError("session_expired", "a later session has the id now", { cause: error });
        ({ version } = latest);
      }
  }

  #enqueue(write: () => Promise<void>): void {
    this.#waiting.push(write);
    this.#writing ??= this.#writeWaiting();
  }

  async #writeWaiting(): Promise<void> {
    await afterAudio();
    for (let write = this.#waiting[0]; write !== undefined; write = this.#waiting[0]) {
      try {
        await write();
      } catch (error) {
        this.#reportLoss(error);
      }
      this.#waiting.shift();
    }
    this.#writing = undefined;
  }

  /** Somebody may delete a session while it runs; what is said until it ends is then meant to be kept nowhere. */
  #reportLoss(error: unknown): void {
    const { logger } = this.#options;
    const { code } = toVoiceError(error);
    if (code === "session_expired")
      logger.warn({ code }, "a turn of a session that was deleted, or has expired, was not stored");
    else logger.error({ error, code }, "a turn could not be stored");
  }
}

/** Whether another conversation, of this host or another, has the session by now. */
export function isTakenFrom(ours: SessionRecord, stored: SessionRecord): boolean {
  return stored.hostId !== ours.hostId || stored.claimedAtMs !== ours.claimedAtMs;
}

/** Resolves when everything that the caller is to hear of this moment has been sent. */
function afterAudio(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
