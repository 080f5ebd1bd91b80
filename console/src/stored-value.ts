/**
 * A value that survives a reload in the browser's storage; validated when it is read, because anybody may have changed
 * it.
 */
import type { z } from "zod";

export type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export class StoredValue<T> {
  readonly #storage: BrowserStorage;
  readonly #key: string;
  readonly #schema: z.ZodType<T>;

  constructor(storage: BrowserStorage, key: string, schema: z.ZodType<T>) {
    this.#storage = storage;
    this.#key = key;
    this.#schema = schema;
  }

  get(): T | undefined {
    const text = this.#storage.getItem(this.#key);
    if (text === null) return undefined;
    try {
      return this.#schema.safeParse(JSON.parse(text)).data;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  set(value: T | undefined): void {
    if (value === undefined) this.#storage.removeItem(this.#key);
    else this.#storage.setItem(this.#key, JSON.stringify(value));
  }
}
