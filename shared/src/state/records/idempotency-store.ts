/** Records the first request under a client's idempotency key, so that repeating it has no further effect. */
import { z } from "zod";
import type { KeyedRecords } from "../ports/keyed-records.ts";
import { jsonOf, type Stored } from "../stored-json.ts";

const keyedRequest = z.object({
  /** A hash of the request: a different request under the same key is a client error. */
  fingerprint: z.string(),
  /** The id of the resource that the request creates; the same for repeated requests. */
  resultId: z.string(),
});
export type KeyedRequest = Stored<typeof keyedRequest>;

export interface IdempotencyStore {
  find(key: string): Promise<KeyedRequest | undefined>;
  /** Resolves to the request that came first under this key within the life span, which may be another one. */
  claim(key: string, request: KeyedRequest, lifeSpanMs: number): Promise<KeyedRequest>;
}

const stored = jsonOf(keyedRequest);

export function createIdempotencyStore(records: KeyedRecords): IdempotencyStore {
  return {
    async find(key) {
      const text = await records.get(`request:${key}`);
      return text === undefined ? undefined : stored.parse(text);
    },
    async claim(key, request, lifeSpanMs) {
      const first = await records.putIfAbsent(`request:${key}`, JSON.stringify(request), lifeSpanMs);
      return first === undefined ? request : stored.parse(first);
    },
  };
}
