/**
 * Remembers what this process last read or wrote, so that running work can continue while the store is unavailable.
 * While the store answers, only its answers are used.
 */
import { VoiceError } from "../platform/errors.ts";
import { RecentlyUsed } from "../platform/recently-used.ts";

/** Far more than one host's conversations; the least recently used is forgotten first. */
const defaultMaxKeys = 2000;

interface RecallLimits<Value> {
  readonly maxKeys?: number;
  /** For large values: the most characters that are held in total, and how many characters a value has. */
  readonly maxCharacters?: number;
  readonly charactersOf?: (value: Value) => number;
}

export class Recall<Value> {
  readonly #hasStore: () => Promise<boolean>;
  readonly #known: RecentlyUsed<Value>;
  readonly #weightOf: (value: Value) => number;

  /**
   * `hasStore`: whether the store currently answers. Waiting for each read's time-out would cause silence on the line.
   */
  constructor(hasStore: () => Promise<boolean>, limits: RecallLimits<Value> = {}) {
    const { maxKeys = defaultMaxKeys, maxCharacters = maxKeys, charactersOf = () => 0 } = limits;
    this.#hasStore = hasStore;
    this.#known = new RecentlyUsed(maxCharacters);
    // Each weighs its share at least, so that the budget is for so many keys at most.
    this.#weightOf = (value) => Math.max(maxCharacters / maxKeys, charactersOf(value));
  }

  /** `value`: undefined if the store has none. */
  note(key: string, value: Value | undefined): void {
    if (value === undefined) this.#known.delete(key);
    else this.#known.set(key, value, this.#weightOf(value));
  }

  /** The remembered value, whether or not the store is available. */
  peek(key: string): Value | undefined {
    return this.#known.get(key);
  }

  /** Rejects like the store if it is unavailable and nothing is remembered. */
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
