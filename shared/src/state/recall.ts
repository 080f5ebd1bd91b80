/**
 * Remembers what this process last read or wrote, so that running work can continue while the store is unavailable.
 * While the store answers, only its answers are used.
 */
import { VoiceError } from "../platform/errors.ts";

/** Far more than one host's conversations; the least recently used is forgotten first. */
const defaultMaxKeys = 2000;

export class Recall<Value> {
  readonly #hasStore: () => Promise<boolean>;
  readonly #maxKeys: number;
  readonly #known = new Map<string, Value>();

  /**
   * `hasStore`: whether the store currently answers. Waiting for each read's time-out would cause silence on the line.
   */
  constructor(hasStore: () => Promise<boolean>, maxKeys = defaultMaxKeys) {
    this.#hasStore = hasStore;
    this.#maxKeys = maxKeys;
  }

  /** Undefined: there is none. */
  note(key: string, value: Value | undefined): void {
    this.#known.delete(key);
    if (value !== undefined) this.#known.set(key, value);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#maxKeys) break;
      this.#known.delete(oldest);
    }
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
