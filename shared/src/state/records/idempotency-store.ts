/** Records the first request under a client's idempotency key, so that repeating it has no further effect. */
import { z } from "zod";
import type { KeyedRecords } from "../ports/keyed-records.ts";
import { readerOf, type Stored } from "../stored-json.ts";

const keyedRequest = z.object({
  /** A hash of the request: a different request under the same key is a client error. */
  fingerprint: z.string(),
  /** The id of the resource that the request creates; the same for repeated requests. */
  resultId: z.string(),
});
export type KeyedRequest = Stored<typeof keyedRequest>;

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

const read = readerOf(keyedRequest);

export function createIdempotencyStore(records: KeyedRecords) {
  return {
    find: async (key: string) => read(await records.get(`request:${key}`)),
    /** Resolves to the request that came first under this key within the life span, which may be another one. */
    claim: async (key: string, request: KeyedRequest, lifeSpanMs: number) =>
      read(await records.putIfAbsent(`request:${key}`, JSON.stringify(request), lifeSpanMs)) ?? request,
  };
}
