/**
 * What a process knows of the sessions it writes to, for as long as the store is away. Bounded by how many they are and by
 * what was said in them together: somebody may say as much as they can.
 */
import { historySize } from "../conversation/history-size.ts";
import { insertInOrder } from "./history-order.ts";
import type { HistoryItem, SessionRecord } from "./ports/session-store.ts";

export interface Known {
  /** As last given to the caller; while writes wait, ahead of the store. */
  readonly record: SessionRecord;
  /** What the store calls that state; differs from `record.version` after writes have waited. */
  readonly storedVersion: number;
  /** The whole history, including items that wait to be written; absent until it is first read, and after it was dropped. */
  readonly history?: readonly HistoryItem[] | undefined;
}

/** More than one host carries. The longest untouched is forgotten first. */
const defaultMaxSessions = 2000;
/** At most 64 MB. A conversation of an hour has 500,000. */
const defaultMaxCharacters = 32_000_000;

export class KnownSessions {
  readonly #maxSessions: number;
  readonly #maxCharacters: number;
  readonly #known = new Map<string, Known>();
  /** The number of characters of each history, and of all of them together. */
  readonly #characters = new Map<string, number>();
  #total = 0;

  constructor({ maxSessions = defaultMaxSessions, maxCharacters = defaultMaxCharacters } = {}) {
    this.#maxSessions = maxSessions;
    this.#maxCharacters = maxCharacters;
  }

  get(sessionId: string): Known | undefined {
    return this.#known.get(sessionId);
  }

  all(): Iterable<Known> {
    return this.#known.values();
  }

  set(known: Known): void {
    const { sessionId } = known.record;
    this.#known.delete(sessionId);
    this.#known.set(sessionId, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#maxSessions) break;
      this.forget(oldest);
    }
  }

  /** What was said in a session that is known. */
  learn(sessionId: string, history: readonly HistoryItem[]): void {
    this.#keep(sessionId, history, historySize(history));
  }

  /** Extends the remembered history. If none is remembered, nothing is, because its beginning would be missing. */
  append(sessionId: string, items: readonly HistoryItem[]): void {
    const history = this.#known.get(sessionId)?.history;
    if (history === undefined) return;
    const all = [...history];
    for (const item of items) insertInOrder(all, item);
    this.#keep(sessionId, all, (this.#characters.get(sessionId) ?? 0) + historySize(items));
  }

  forget(sessionId: string): void {
    this.#known.delete(sessionId);
    this.#count(sessionId, 0);
  }

  #keep(sessionId: string, history: readonly HistoryItem[], characters: number): void {
    const known = this.#known.get(sessionId);
    if (known === undefined) return;
    this.set({ ...known, history });
    this.#count(sessionId, characters);
    // The sessions themselves stay: writes may wait for them.
    for (const { record, history: older } of this.#known.values()) {
      if (this.#total <= this.#maxCharacters) return;
      if (older === undefined) continue;
      this.#forgetHistory(record.sessionId);
    }
  }

  #forgetHistory(sessionId: string): void {
    const known = this.#known.get(sessionId);
    // In its place: it was not touched.
    if (known !== undefined) this.#known.set(sessionId, { ...known, history: undefined });
    this.#count(sessionId, 0);
  }

  #count(sessionId: string, characters: number): void {
    this.#total += characters - (this.#characters.get(sessionId) ?? 0);
    if (characters === 0) this.#characters.delete(sessionId);
    else this.#characters.set(sessionId, characters);
  }
}
