/**
 * Keeps this process's conversations running while the store is unavailable: their writes wait in a bounded buffer and
 * are replayed in order when it is back. Conversations that are resumed here meanwhile continue from what this process
 * knows of them, and new ones begin (whether they may is decided elsewhere). Everything else fails as the store does.
 *
 * A write whose answer was lost may have happened. Replaying it is harmless: an append carries its id, and a patch that
 * finds its own effect (or another process's write) is applied again to the current record, unless another host has taken
 * the session over. A session unknown to the store (because it lost its data) is created again from what is known here; a
 * deleted one stays deleted.
 */
import { growingDelayMs } from "../platform/backoff.ts";
import type { CancelTimer, Clock } from "../platform/clock.ts";
import { toVoiceError, VoiceError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import { compactHistory } from "./compact-history.ts";
import { KnownSessions, type Known } from "./known-sessions.ts";
import { isOutage } from "./recall.ts";
import type { WaitingWrite } from "./waiting-write.ts";
import { firstVersion } from "./ports/session-store.ts";
import type {
  AppendOutcome,
  HistoryItem,
  LivingSession,
  NewSession,
  SessionPage,
  SessionPatch,
  SessionQuery,
  SessionRecord,
  SessionStore,
  TurnAppend,
  TurnMetrics,
} from "./ports/session-store.ts";

export interface BufferedSessionStoreOptions {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Writes that may wait. A conversation makes about two per turn. */
  readonly maxWrites?: number;
}

const defaultMaxWrites = 10_000;
const retry = { firstMs: 250, longestMs: 5000 };
/** A version that no stored session has. */
const notStored = 0;
/** Ended sessions are remembered too, because a call whose stream was lost may come back to its session. */
const mayComeBackMs = 120_000;

export class BufferedSessionStore implements SessionStore {
  readonly #store: SessionStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #maxWrites: number;
  readonly #known = new KnownSessions();
  readonly #waiting: WaitingWrite[] = [];
  #replaying: Promise<void> | undefined;
  #cancelRetry: CancelTimer | undefined;
  #failures = 0;
  #closed = false;

  constructor(options: BufferedSessionStoreOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#maxWrites = options.maxWrites ?? defaultMaxWrites;
  }

  /** Writes that the store has not accepted yet. */
  get waitingWrites(): number {
    return this.#waiting.length;
  }

  /** Whether the store has all that was written of the session. */
  isStored(sessionId: string): boolean {
    return !this.#isWaiting(sessionId);
  }

  async create(session: NewSession): Promise<SessionRecord> {
    this.#forgetEnded();
    try {
      const created = this.#remember(await this.#store.create(session));
      this.#known.learn(session.sessionId, []);
      return created;
    } catch (error) {
      if (!isOutage(error)) throw error;
      return this.#createLater(session);
    }
  }

  async get(sessionId: string): Promise<SessionRecord | "expired" | "unknown"> {
    const known = this.#known.get(sessionId);
    // While writes are buffered, a read would have to wait for the store's time-out.
    if (known !== undefined && this.#waiting.length > 0) return known.record;
    try {
      const found = await this.#store.get(sessionId);
      return typeof found === "string" ? found : this.#remember(found);
    } catch (error) {
      if (known === undefined || !isOutage(error)) throw error;
      return known.record;
    }
  }

  async update(sessionId: string, version: number, patch: SessionPatch): Promise<SessionRecord> {
    const known = this.#known.get(sessionId);
    if (known !== undefined && this.#waiting.length > 0) return this.#updateLater(known, version, patch);
    try {
      const storedVersion = known?.record.version === version ? known.storedVersion : version;
      return this.#remember(await this.#store.update(sessionId, storedVersion, patch));
    } catch (error) {
      if (known === undefined || !isOutage(error)) throw error;
      return this.#updateLater(known, version, patch);
    }
  }

  async appendTurn(sessionId: string, turn: TurnAppend): Promise<AppendOutcome> {
    const known = this.#known.get(sessionId);
    if (known !== undefined && known.record.createdAtMs > (turn.createdAtMs ?? Infinity)) throw usedAgain();
    if (known !== undefined && this.#waiting.length > 0) this.#later({ type: "append", sessionId, turn });
    else
      try {
        if ((await this.#store.appendTurn(sessionId, turn)) === "late") return "late"; // of a conversation that is another host's
      } catch (error) {
        if (known === undefined || !isOutage(error)) throw error;
        this.#later({ type: "append", sessionId, turn });
      }
    this.#known.append(sessionId, turn.items);
    return "in time";
  }

  keepAlive(sessions: readonly LivingSession[]): Promise<void> {
    return this.#store.keepAlive(sessions);
  }

  async history(sessionId: string): Promise<readonly HistoryItem[]> {
    const known = this.#known.get(sessionId)?.history;
    if (known !== undefined && this.#waiting.length > 0) return known;
    try {
      const stored = compactHistory(await this.#store.history(sessionId)); // which the conversation keeps, too
      this.#known.learn(sessionId, stored);
      return stored;
    } catch (error) {
      if (known === undefined || !isOutage(error)) throw error;
      return known;
    }
  }

  metrics(sessionId: string): Promise<readonly TurnMetrics[]> {
    return this.#store.metrics(sessionId);
  }

  list(query: SessionQuery): Promise<SessionPage> {
    return this.#store.list(query);
  }

  async delete(sessionId: string): Promise<boolean> {
    const deleted = await this.#store.delete(sessionId);
    this.#known.forget(sessionId);
    for (let index = this.#waiting.length - 1; index >= 0; index -= 1)
      if (this.#waiting[index]?.sessionId === sessionId) this.#waiting.splice(index, 1);
    return deleted;
  }

  /** Tries once more to write what is buffered. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRetry?.();
    await this.replay();
    if (this.#waiting.length > 0) this.#logger.error({ writes: this.#waiting.length }, "session writes were lost");
  }

  /** Writes what is buffered, in order, until the store fails or nothing is left. Also runs periodically. */
  replay(): Promise<void> {
    this.#replaying ??= this.#replayAll().finally(() => {
      this.#replaying = undefined;
    });
    return this.#replaying;
  }

  #forgetEnded(): void {
    const beforeMs = this.#clock.wallNow() - mayComeBackMs;
    for (const { record } of this.#known.all())
      if (record.status === "ended" && record.lastActivityAtMs < beforeMs && !this.#isWaiting(record.sessionId))
        this.#known.forget(record.sessionId);
  }

  #isWaiting(sessionId: string): boolean {
    return this.#waiting.some((write) => write.sessionId === sessionId);
  }

  #remember(record: SessionRecord): SessionRecord {
    this.#known.set({ ...this.#known.get(record.sessionId), record, storedVersion: record.version });
    return record;
  }

  #updateLater(known: Known, version: number, patch: SessionPatch): SessionRecord {
    const { record } = known;
    if (record.version !== version) throw new VoiceError("conflict", "the session was changed by someone else");
    const { sessionId, createdAtMs } = record;
    this.#later({ type: "update", sessionId, createdAtMs, patch });
    const ahead = { ...record, ...patch, version: version + 1, lastActivityAtMs: this.#clock.wallNow() };
    this.#known.set({ ...known, record: ahead });
    return ahead;
  }

  /**
   * The store gets the session with the first write that it refuses (`#catchUp`); if it already has one under this id,
   * that stays, unless it is somebody else's.
   */
  #createLater(session: NewSession): SessionRecord {
    const { sessionId, createdAtMs, status, hostId, claimedAtMs, channel, streamingMode, callConnectionId } = session;
    const patch = { status, hostId, claimedAtMs, channel, streamingMode, callConnectionId };
    this.#later({ type: "update", sessionId, createdAtMs, patch });
    const record = { ...session, version: firstVersion(session), lastActivityAtMs: this.#clock.wallNow() };
    this.#known.set({ record, storedVersion: notStored, history: [] });
    return record;
  }

  #later(write: WaitingWrite): void {
    if (this.#waiting.length >= this.#maxWrites)
      throw new VoiceError("cache_connection_failed", "the cache is away and the buffer for session writes is full");
    this.#waiting.push(structuredClone(write));
    if (this.#waiting.length > 1) return;
    this.#logger.warn({}, "the session store is away; writes wait");
    this.#retryLater();
  }

  #retryLater(): void {
    if (this.#closed) return;
    this.#cancelRetry = this.#clock.setTimer(growingDelayMs(this.#failures, retry), () => void this.replay());
  }

  async #replayAll(): Promise<void> {
    for (let write = this.#waiting[0]; write !== undefined; write = this.#waiting[0]) {
      try {
        await this.#apply(write);
      } catch (error) {
        if (isOutage(error)) {
          this.#failures += 1;
          this.#retryLater();
          return;
        }
        this.#logger.error({ error, sessionId: write.sessionId }, "a session write could not be replayed");
      }
      // Unless it was deleted meanwhile.
      if (this.#waiting[0] === write) this.#waiting.shift();
      this.#failures = 0;
    }
    this.#logger.info({}, "the session store has every write");
  }

  async #apply(write: WaitingWrite): Promise<void> {
    try {
      await this.#applyOnce(write);
    } catch (error) {
      const known = this.#known.get(write.sessionId);
      const { code } = toVoiceError(error);
      if (known === undefined || (code !== "conflict" && code !== "not_found")) throw error;
      if (await this.#catchUp(known, write)) await this.#applyOnce(write);
    }
  }

  async #applyOnce(write: WaitingWrite): Promise<void> {
    const { sessionId } = write;
    const known = this.#known.get(sessionId);
    if (write.type === "append") {
      // Nobody has looked yet whose session the store has under this id.
      if (known?.storedVersion === notStored) await this.#catchUp(known, write);
      await this.#store.appendTurn(sessionId, write.turn);
      return;
    }
    if (known === undefined) return;
    if (known.record.createdAtMs > write.createdAtMs) throw usedAgain();
    const { version } = await this.#store.update(sessionId, known.storedVersion, write.patch);
    this.#known.set({ ...(this.#known.get(sessionId) ?? known), storedVersion: version });
  }

  /**
   * Reads the store's current version, or creates the session again. False if another host has taken it over: then its
   * conversation here is outdated, and learns so from the conflict with its next write.
   */
  async #catchUp(known: Known, write: WaitingWrite): Promise<boolean> {
    const { record } = known;
    const found = await this.#store.get(record.sessionId);
    if (found === "expired") throw new VoiceError("session_expired", "the session was deleted or has expired");
    if (found !== "unknown" && (found.owner !== record.owner || found.createdAtMs > record.createdAtMs))
      throw usedAgain();
    const { version: _, lastActivityAtMs: __, ...session } = record;
    const stored = found === "unknown" ? await this.#store.create(session) : found;
    const claims = write.type === "update" && write.patch.hostId !== undefined;
    const isTaken = (stored.claimedAtMs ?? 0) > (record.claimedAtMs ?? 0);
    const isOurs = !isTaken && (claims || stored.hostId === undefined || stored.hostId === record.hostId);
    const storedVersion = isOurs ? stored.version : notStored;
    this.#known.set({ ...(this.#known.get(record.sessionId) ?? known), storedVersion });
    return isOurs;
  }
}

function usedAgain(): VoiceError {
  return new VoiceError("session_expired", "another session has the id now");
}
