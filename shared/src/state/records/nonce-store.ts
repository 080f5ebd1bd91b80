import type { KeyedRecords } from "../ports/keyed-records.ts";

/** Nonces of signed requests, which may be used only once across all hosts. */
export type NonceStore = ReturnType<typeof createNonceStore>;

export function createNonceStore(records: KeyedRecords) {
  return {
    /** True for the first caller with a nonce, until it expires. */
    claim: async (nonce: string, lifeSpanMs: number) =>
      (await records.putIfAbsent(`nonce:${nonce}`, "1", lifeSpanMs)) === undefined,
  };
}
