/** Nonces of signed requests, which may be used only once across all hosts. */

export interface NonceStore {
  /** True for the first caller with a nonce, until it expires. */
  claim(nonce: string, lifeSpanMs: number): Promise<boolean>;
}
