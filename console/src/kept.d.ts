/** What outlives a reload: a value in the browser's storage, checked when it is read, because anybody may have changed it. */
import type { z } from "zod";
export type KeptStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;
export declare class Kept<T> {
  #private;
  constructor(storage: KeptStorage, key: string, schema: z.ZodType<T>);
  get(): T | undefined;
  set(value: T | undefined): void;
}
