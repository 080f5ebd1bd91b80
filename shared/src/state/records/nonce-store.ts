import type { KeyedRecords } from "../ports/keyed-records.ts";

/** Nonces of signed requests, which may be used only once across all hosts. */
export interface NonceStore {
  /** True for the first caller with a nonce, until it expires. */
  claim(nonce: string, lifeSpanMs: number): Promise<boolean>;
}

export function createNonceStore(records: KeyedRecords): NonceStore {
  return {
    claim: async (nonce, lifeSpanMs) => (await records.putIfAbsent(`nonce:${nonce}`, "1", lifeSpanMs)) === undefined,
  };
}
