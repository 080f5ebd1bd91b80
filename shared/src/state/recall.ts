/**
 * What this process has read or written last, for as long as the store is away: what is under way goes on from it. While the
 * store answers, nothing is believed but its answer.
 */
import { VoiceError } from "../platform/errors.ts";
import { RecentlyUsed } from "../platform/recently-used.ts";

/** Far more than one host has conversations under way; the longest untouched is forgotten first. */
const defaultMaxKeys = 2000;

export interface RecallLimits<Value> {
  readonly maxKeys?: number;
  /** Where values may be large: how many characters of them are kept, and how many there are in one. */
  readonly maxCharacters?: number;
  readonly charactersOf?: (value: Value) => number;
}

export class Recall<Value> {
  readonly #hasStore: () => Promise<boolean>;
  readonly #known: RecentlyUsed<Value>;
  readonly #weightOf: (value: Value) => number;

  /** `hasStore`: whether it answers at the moment. Waiting for the time-out of each read would be silence on a line. */
  constructor(hasStore: () => Promise<boolean>, limits: RecallLimits<Value> = {}) {
    const { maxKeys = defaultMaxKeys, maxCharacters = maxKeys, charactersOf = () => 0 } = limits;
    this.#hasStore = hasStore;
    this.#known = new RecentlyUsed(maxCharacters);
    // Each weighs its share at least, so that the budget is for so many keys at most.
    this.#weightOf = (value) => Math.max(maxCharacters / maxKeys, charactersOf(value));
  }

  /** Undefined: there is none. */
  note(key: string, value: Value | undefined): void {
    if (value === undefined) this.#known.delete(key);
    else this.#known.set(key, value, this.#weightOf(value));
  }

  /** Whether or not the store is away. */
  peek(key: string): Value | undefined {
    return this.#known.get(key);
  }

  /** Rejects as the store does where it is away and nothing is known. */
  async read<Answer extends Value | undefined>(key: string, ask: () => Promise<Answer>): Promise<Answer | Value> {
    if (!(await this.#hasStore())) return this.#recall(key, away());
    try {
      const value = await ask();
      this.note(key, value);
      return value;
    } catch (error) {
      if (!isOutage(error)) throw error;
      return this.#recall(key, error);
    }
  }

  #recall(key: string, problem: unknown): Value {
    const value = this.#known.get(key);
    if (value === undefined) throw problem;
    return value;
  }
}

export function isOutage(error: unknown): boolean {
  return error instanceof VoiceError && error.code === "cache_connection_failed";
}

function away(): VoiceError {
  return new VoiceError("cache_connection_failed", "the store is away, and this process does not know");
}
